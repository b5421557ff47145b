package dev.ebb.db.connection;

/**
 * A server that takes writes, and is not Ebb's database.
 *
 * @param address host and port
 * @param why in words that follow "because"
 */
public record Stranger(String address, String why) {}
