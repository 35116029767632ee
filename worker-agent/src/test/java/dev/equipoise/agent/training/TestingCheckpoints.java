package dev.equipoise.agent.training;

import static java.util.Objects.requireNonNull;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.RunId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Service that stores the checkpoint parts of all ranks in memory. */
final class TestingCheckpoints {

    /** Epoch after which ranks stop if one of them is asked to. */
    static final int STOP = 2;

    private static final RunId RUN = RunId.of(new UUID(0, 1));

    private final Map<Integer, byte[]> parts = new ConcurrentHashMap<>();

    /** Returns the number of stored parts. */
    int count() {
        return parts.size();
    }

    /** Returns the checkpoints of one rank that begins and is asked to stop. */
    Checkpoints stopping() {
        return of(0, true, true);
    }

    /** Returns the checkpoints of one rank that resumes. */
    Checkpoints resuming() {
        return of(STOP, false, true);
    }

    /**
     * Returns the checkpoints of one rank.
     *
     * @param after epoch of the checkpoint to resume from; 0 for none
     * @param stopWanted whether the rank is asked to stop, during the second epoch
     * @param takes whether a stored part is accepted
     */
    Checkpoints of(int after, boolean stopWanted, boolean takes) {
        return new OfRank(after, stopWanted, takes);
    }

    private final class OfRank implements Checkpoints {

        private final int after;
        private final boolean stopWanted;
        private final boolean takes;
        private int asked;

        private OfRank(int after, boolean stopWanted, boolean takes) {
            this.after = after;
            this.stopWanted = stopWanted;
            this.takes = takes;
        }

        @Override
        public int after() {
            return after;
        }

        @Override
        public ReportReply reply() {
            asked++;
            return stopWanted && asked >= STOP ? new ReportReply(true, false) : ReportReply.NONE;
        }

        @Override
        public boolean isDueAfter(int epoch) {
            return false;
        }

        @Override
        public int parts() {
            return parts.size();
        }

        @Override
        public boolean keep(int epoch, int ranks, RankStatePart part) {
            var header = part.header(RUN, 1, epoch, ranks);
            try (var stream = new CheckpointStream(header, part)) {
                parts.put(part.rank(), stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return takes;
        }

        @Override
        public long[] load(RankStatePart part) {
            try {
                return new CheckpointReader(RUN, after)
                        .read(
                                new ByteArrayInputStream(requireNonNull(parts.get(part.rank()))),
                                parts(),
                                part);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
