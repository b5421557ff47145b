/**
 * How deliveries are signed, and how the secrets for that are kept.
 *
 * <pre>
 *   key file ──▶ SecretBox ──seals──▶ SigningKey, in the row of its destination
 *                    │                     │ at each attempt, those chosen by their KeyShare
 *                    └───────opens─────────▼
 *                SigningScheme ── Layout ──▶ the bytes that are signed
 *                              └─ Algorithm ──▶ the signature
 *                                    │ Layout
 *                                    ▼
 *      webhook-signature: v1,… v1a,… rsa,…    Wechatpay-Signature: …    signature: …
 * </pre>
 */
@NullMarked
package dev.ebb.core.signing;

import org.jspecify.annotations.NullMarked;
