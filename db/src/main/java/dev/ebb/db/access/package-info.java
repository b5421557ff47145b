/**
 * The tokens: who made them, what they may do, until when; and links, which show one job. And what
 * roles of the database may call: {@code FunctionGrant}.
 *
 * <pre>
 *   Tokens ──▶ TokenView     for people: everything but the secret, of which only a hash is here
 *          └─▶ LiveToken     for the door: the hash, and what it allows
 * </pre>
 */
@NullMarked
package dev.ebb.db.access;

import org.jspecify.annotations.NullMarked;
