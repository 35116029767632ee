package dev.equipoise.app.webhook;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhooks.
 *
 * @param allowedNetworks networks to which webhooks may deliver beside public addresses, for
 *     example {@code 10.1.0.0/16}; {@code 0.0.0.0/0} and {@code ::/0} together allow all (default:
 *     none)
 * @param timeout time for an attempt from connecting to the status of the answer; positive and at
 *     most 30s
 * @param retention age at which deliveries are removed, at least 1d
 */
@ConfigurationProperties("equipoise.webhook")
record WebhookSettings(
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("7d") Duration retention) {

    /** Limit of the timeout, so that an attempt ends before its lease. */
    static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

    WebhookSettings {
        allowedNetworks = List.copyOf(allowedNetworks);
        requireNetworks(allowedNetworks);
        if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "equipoise.webhook.timeout %s is out of range: positive and at most %s"
                            .formatted(timeout, MAX_TIMEOUT));
        }
        if (retention.compareTo(Duration.ofDays(1)) < 0) {
            throw new IllegalArgumentException(
                    "equipoise.webhook.retention %s is out of range: at least 1d, since attempts take nine hours"
                            .formatted(retention));
        }
    }

    private static void requireNetworks(List<String> networks) {
        for (String network : networks) {
            try {
                var _ = new AddressPolicy(List.of(network));
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException(
                        "equipoise.webhook.allowed-networks has %s, which is no network: write an address and a length, such as 10.1.0.0/16"
                                .formatted(network),
                        invalid);
            }
        }
    }
}
