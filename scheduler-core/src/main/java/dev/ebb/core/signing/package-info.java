/**
 * How deliveries are signed, and how the secrets for that are kept.
 *
 * <pre>
 *   key file ──▶ SecretBox ──seals──▶ SigningKey, in the row of its destination
 *                    │                     │ at each attempt
 *                    └───────opens─────────▼
 *                       SigningScheme ──signs──▶ webhook-signature: v1,… v1a,… rsa,…
 *                    each with its Algorithm
 * </pre>
 */
@NullMarked
package dev.ebb.core.signing;

import org.jspecify.annotations.NullMarked;
