package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key with which deliveries to a destination are signed, without its secret.
 *
 * @param id its id
 * @param scheme v1 (HMAC-SHA256), v1a (Ed25519) or rsa (RSA-SHA256) as of Standard Webhooks;
 *     wechatpay or alipay (both RSA-SHA256) as these sign
 * @param publicKey of v1a, behind whpk_, and of those with RSA, as PEM
 * @param serial by which receivers of wechatpay and alipay find it; absent for its id
 * @param headerPrefix with which the headers of wechatpay begin; absent for Wechatpay
 * @param clientId by which a receiver of alipay is known to the sender
 * @param share of the deliveries that it signs; absent for all
 * @param createdAt when it was made
 * @param expiresAt when it signs no more; absent for never
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SigningKey(
    String id,
    String scheme,
    @Nullable String publicKey,
    @Nullable String serial,
    @Nullable String headerPrefix,
    @Nullable String clientId,
    @Nullable KeyShare share,
    Instant createdAt,
    @Nullable Instant expiresAt) {}
