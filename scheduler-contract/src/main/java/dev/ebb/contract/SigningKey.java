package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key with which deliveries to a destination are signed, without its secret.
 *
 * @param scheme v1 (HMAC-SHA256), v1a (Ed25519) or rsa (RSA-SHA256)
 * @param publicKey of v1a, behind whpk_, and of rsa, as PEM
 * @param expiresAt when it signs no more; absent for never
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SigningKey(
    String id,
    String scheme,
    @Nullable String publicKey,
    Instant createdAt,
    @Nullable Instant expiresAt) {}
