package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.network.Architecture;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a lease gives to an agent to do. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Assignment.Profiling.class, name = "profiling"),
    @JsonSubTypes.Type(value = Assignment.LinkProfiling.class, name = "link-profiling"),
    @JsonSubTypes.Type(value = Assignment.Training.class, name = "training"),
    @JsonSubTypes.Type(value = Assignment.Simulation.class, name = "simulation")
})
public sealed interface Assignment extends ServiceMessage {

    AssignmentId id();

    /** Fences every report and every frame; it grows each time that the work is placed anew. */
    int generation();

    /** A kernel and where it is measured. */
    record Measurement(Kernel kernel, Points points) {

        public Measurement {
            Rules.present("kernel", kernel);
            Rules.present("points", points);
        }
    }

    /** Work of several workers, which meet in a channel of their own. */
    sealed interface Joint extends Assignment {

        /** What they meet for; the channel's name. */
        UUID meeting();

        /** The worker's place in {@link #peers}. */
        int rank();

        /** The workers of all ranks, in the order of their ranks. */
        List<WorkerId> peers();

        /** 32 bytes in Base64 that only the agents of this generation know. */
        String key();

        default ChannelKind channel() {
            return ChannelKind.DIRECT;
        }

        /** What the links are held back to. */
        default List<LinkLimit> limits() {
            return List.of();
        }
    }

    /**
     * Measure the kernels. Workers that share a machine measure at the same time, since they slow
     * one another; they go through their points in step, and have as many of them each.
     *
     * @param session a number of its own
     * @param peers who measures at the same time, this worker among them
     * @param network whose training step is measured
     * @param slowDown the factor by which this worker's computing is stretched meanwhile, so that
     *     its companions find the machine as busy as it will be; times are told as if it were not
     */
    record Profiling(
            AssignmentId id,
            int generation,
            UUID session,
            int rank,
            List<WorkerId> peers,
            String key,
            Architecture network,
            List<Measurement> measurements,
            Precision precision,
            double slowDown)
            implements Joint {

        public Profiling {
            peers = List.copyOf(peers);
            measurements = List.copyOf(measurements);
            Rules.atLeast("slowDown", slowDown, 1.0);
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("peers", peers.size(), rank + 1L);
        }

        @Override
        public UUID meeting() {
            return session;
        }

        /** Without the key, which must not reach a log. */
        @Override
        public String toString() {
            return "Profiling[assignment=%s, session=%s, rank=%d of %d, measurements=%s]"
                    .formatted(id, session, rank, peers.size(), measurements);
        }
    }

    /**
     * Measure what the links between all these workers cost, and what sums over the first of them
     * take; rank 0 tells.
     *
     * @param measurement a number of its own
     */
    record LinkProfiling(
            AssignmentId id,
            int generation,
            UUID measurement,
            int rank,
            List<WorkerId> peers,
            String key)
            implements Joint {

        /** Every pair is measured, and while it is no other measures with one of the two. */
        public static final int MOST_WORKERS = 64;

        public LinkProfiling {
            peers = List.copyOf(peers);
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("peers", peers.size(), Math.max(2, rank + 1L));
        }

        @Override
        public UUID meeting() {
            return measurement;
        }

        /** Without the key, which must not reach a log. */
        @Override
        public String toString() {
            return "LinkProfiling[assignment=%s, measurement=%s, rank=%d of %d]"
                    .formatted(id, measurement, rank, peers.size());
        }
    }

    /**
     * Train one replica.
     *
     * @param rank the replica's place in {@code peers}
     * @param peers the workers of all ranks, in the order of their ranks
     * @param key 32 bytes in Base64 that only the agents of this generation know
     * @param checkpointing null where it is never stopped before its end, and ends where a rank is
     *     lost
     * @param continuation null where it begins with a checkpoint, or at the beginning
     * @param traceparent the trace of the run, as the W3C writes it; null where nobody traces
     */
    record Training(
            AssignmentId id,
            int generation,
            RunId run,
            int rank,
            List<WorkerId> peers,
            String key,
            TrainingPlan plan,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Checkpointing checkpointing,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Continuation continuation,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceparent)
            implements Joint {

        /** One that is never stopped before its end. */
        public Training(
                AssignmentId id,
                int generation,
                RunId run,
                int rank,
                List<WorkerId> peers,
                String key,
                TrainingPlan plan) {
            this(id, generation, run, rank, peers, key, plan, null, null);
        }

        /** One that nobody traces. */
        public Training(
                AssignmentId id,
                int generation,
                RunId run,
                int rank,
                List<WorkerId> peers,
                String key,
                TrainingPlan plan,
                @Nullable Checkpointing checkpointing,
                @Nullable Continuation continuation) {
            this(id, generation, run, rank, peers, key, plan, checkpointing, continuation, null);
        }

        public Training {
            peers = List.copyOf(peers);
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("peers", peers.size(), rank + 1L);
        }

        @Override
        public UUID meeting() {
            return run.value();
        }

        @Override
        public ChannelKind channel() {
            return plan.channel();
        }

        @Override
        public List<LinkLimit> limits() {
            return plan.limits();
        }

        /** Without the key, which must not reach a log. */
        @Override
        public String toString() {
            return "Training[assignment=%s, run=%s, generation=%d, rank=%d of %d]"
                    .formatted(id, run, generation, rank, peers.size());
        }
    }

    /**
     * Train all replicas of a run, on a clock that is not real.
     *
     * @param traceparent the trace of the run, as the W3C writes it; null where nobody traces
     */
    record Simulation(
            AssignmentId id,
            int generation,
            RunId run,
            TrainingPlan plan,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceparent)
            implements Assignment {

        /** One that nobody traces. */
        public Simulation(AssignmentId id, int generation, RunId run, TrainingPlan plan) {
            this(id, generation, run, plan, null);
        }
    }
}
