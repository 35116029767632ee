package dev.equipoise.app.configuration;

import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/**
 * The environment of a run: real or simulated ranks, with emulated differences between them.
 *
 * @param heterogeneity emulated differences between ranks and links
 * @param execution real clock, or a virtual one
 */
public record Environment(Heterogeneity heterogeneity, Execution execution) {

    /**
     * Emulated heterogeneity of the lab.
     *
     * @param links limits of links; at most one for each link and one for all others
     * @param slowDown factors by rank that stretch computing times; 1 for all others
     * @param slowDownFrom the first epoch with the slowdown
     */
    @Schema(name = "RunConfiguration.Heterogeneity")
    public record Heterogeneity(
            List<LinkLimit> links, Map<Integer, Double> slowDown, int slowDownFrom) {

        public Heterogeneity {
            links = List.copyOf(links);
            slowDown = Map.copyOf(slowDown);
        }
    }
}
