package dev.equipoise.app.plan;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;

/** What is between the workers at hand. */
sealed interface Network {

    /** Between the ranks that these have, in this order. */
    LinkCosts between(List<Hand> ranks, ChannelKind channel);

    /** A link that is told, and memory where two name the same machine. */
    record Told(Execution.Link link) implements Network {

        @Override
        public LinkCosts between(List<Hand> ranks, ChannelKind channel) {
            List<List<Integer>> within = new ArrayList<>();
            for (int high = 1; high < ranks.size(); high++) {
                for (int low = 0; low < high; low++) {
                    if (isOneMachine(ranks.get(low), ranks.get(high))) {
                        within.add(List.of(low, high));
                    }
                }
            }
            return LinkCosts.told(link, within).over(channel);
        }

        private static boolean isOneMachine(Hand one, Hand other) {
            return one.worker().host().name().equals(other.worker().host().name());
        }
    }

    /**
     * What was measured.
     *
     * @param workers the ranks that the links are between
     */
    record Measured(List<WorkerId> workers, List<MeasuredLink> links) implements Network {

        public Measured {
            workers = List.copyOf(workers);
            links = List.copyOf(links);
        }

        @Override
        public LinkCosts between(List<Hand> ranks, ChannelKind channel) {
            List<WorkerId> chosen = ranks.stream().map(it -> it.worker().id()).toList();
            List<MeasuredLink> among = new ArrayList<>();
            for (MeasuredLink link : links) {
                int one = chosen.indexOf(workers.get(link.low()));
                int other = chosen.indexOf(workers.get(link.high()));
                if (one >= 0 && other >= 0) {
                    among.add(
                            new MeasuredLink(
                                    Math.min(one, other),
                                    Math.max(one, other),
                                    link.alphaSeconds(),
                                    link.betaSecondsPerByte(),
                                    link.relativeError()));
                }
            }
            return LinkCosts.measured(ranks.size(), among).over(channel);
        }
    }
}
