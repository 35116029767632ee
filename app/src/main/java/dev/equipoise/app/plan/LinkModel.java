package dev.equipoise.app.plan;

import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.List;

/** Gives the costs of the links between candidate workers. */
sealed interface LinkModel {

    /** The costs of the links between these ranks, in this order. */
    LinkCosts between(List<CandidateWorker> ranks, ChannelKind channel);

    /** One specified link between all workers; shared memory between workers of one host. */
    record Specified(Execution.Link link) implements LinkModel {

        @Override
        public LinkCosts between(List<CandidateWorker> ranks, ChannelKind channel) {
            List<List<Integer>> within = new ArrayList<>();
            for (int high = 1; high < ranks.size(); high++) {
                for (int low = 0; low < high; low++) {
                    if (isOneHost(ranks.get(low), ranks.get(high))) {
                        within.add(List.of(low, high));
                    }
                }
            }
            return LinkCosts.specified(link, within).over(channel);
        }

        private static boolean isOneHost(CandidateWorker one, CandidateWorker other) {
            return one.worker().host().name().equals(other.worker().host().name());
        }
    }

    /**
     * Measured links.
     *
     * @param workers the workers, to whose indices the ends of the links refer
     */
    record Measured(List<WorkerId> workers, List<MeasuredLink> links) implements LinkModel {

        public Measured {
            workers = List.copyOf(workers);
            links = List.copyOf(links);
        }

        @Override
        public LinkCosts between(List<CandidateWorker> ranks, ChannelKind channel) {
            List<WorkerId> chosen = ranks.stream().map(it -> it.worker().id()).toList();
            List<MeasuredLink> among = new ArrayList<>();
            for (MeasuredLink link : links) {
                int one = chosen.indexOf(workers.get(link.low()));
                int other = chosen.indexOf(workers.get(link.high()));
                if (one >= 0 && other >= 0) {
                    among.add(withEnds(link, one, other));
                }
            }
            return LinkCosts.measured(ranks.size(), among).over(channel);
        }

        private static MeasuredLink withEnds(MeasuredLink link, int one, int other) {
            return new MeasuredLink(
                    Math.min(one, other),
                    Math.max(one, other),
                    link.alphaSeconds(),
                    link.betaSecondsPerByte(),
                    link.relativeError());
        }
    }
}
