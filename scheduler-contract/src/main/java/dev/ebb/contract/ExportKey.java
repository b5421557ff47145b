package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key with which the cluster signs exports, without its secret.
 *
 * @param id the SHA-256 of the public key's X.509 form, in hexadecimal digits
 * @param publicKey of Ed25519, as PEM
 * @param createdAt when it was made
 * @param retiredAt from when on another one signs; absent for the one that does
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExportKey(
    String id, String publicKey, Instant createdAt, @Nullable Instant retiredAt) {}
