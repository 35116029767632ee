package dev.equipoise.protocol;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Product and protocol version of a service or of an agent.
 *
 * @param product null if it is unknown
 */
public record ReleaseVersion(@Nullable SoftwareVersion product, ProtocolVersion protocol) {

    /** Versions of this build. */
    public static final ReleaseVersion OWN =
            new ReleaseVersion(SoftwareVersion.OWN, ProtocolVersion.OWN);

    /**
     * Returns the versions that a message reports.
     *
     * @param protocol null if the message has none
     */
    static ReleaseVersion of(
            @Nullable SoftwareVersion product, @Nullable ProtocolVersion protocol) {
        return new ReleaseVersion(
                product, Objects.requireNonNullElse(protocol, ProtocolVersion.UNREPORTED));
    }

    /**
     * Returns why an agent cannot work for a service, and which side to upgrade; empty if it can.
     * Both sides ask, since one of them may be too old to know the rule.
     */
    public static Optional<String> mismatch(ReleaseVersion agent, ReleaseVersion service) {
        if (agent.protocol.isNextTo(service.protocol)) {
            return Optional.empty();
        }
        return Optional.of(
                "the agent speaks %s and the service %s, which may differ by one minor version at most: %s"
                        .formatted(agent, service, remedy(agent, service)));
    }

    private static String remedy(ReleaseVersion agent, ReleaseVersion service) {
        return agent.protocol.isOlderThan(service.protocol)
                ? "upgrade the agent" + service.named(" to version ")
                : "upgrade the service%s, or install an older agent%s"
                        .formatted(agent.named(" to version "), service.named(", of version "));
    }

    private String named(String preposition) {
        return product == null ? "" : preposition + product;
    }

    @Override
    public String toString() {
        return "protocol %s (%s)"
                .formatted(protocol, product == null ? "unknown version" : "version " + product);
    }
}
