package dev.ebb.bench;

/** The database that a contender is opened on. */
record Target(String url, String user, String password) {}
