package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.equipoise.protocol.network.Architecture;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Work that the service hands to an agent by a lease. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Assignment.Profiling.class, name = "profiling"),
    @JsonSubTypes.Type(value = Assignment.LinkProfiling.class, name = "link-profiling"),
    @JsonSubTypes.Type(value = Assignment.Training.class, name = "training"),
    @JsonSubTypes.Type(value = Assignment.Simulation.class, name = "simulation")
})
public sealed interface Assignment extends ServiceMessage {

    AssignmentId id();

    /**
     * Generation of the placement, which fences reports and frames. It grows with each placement.
     */
    int generation();

    /**
     * A kernel and the sizes at which it is measured.
     *
     * @param kernel measured kernel
     * @param points sizes at which it is measured
     */
    record Measurement(Kernel kernel, Points points) {

        public Measurement {
            Rules.present("kernel", kernel);
            Rules.present("points", points);
        }
    }

    /** Assignment of several workers, which are joined by a channel. */
    sealed interface Joint extends Assignment {

        /** Identifies the rendezvous and names the channel. */
        UUID meeting();

        /** Returns the worker's index in {@link #peers}. */
        int rank();

        /** Returns the workers of all ranks, in rank order. */
        List<WorkerId> peers();

        /**
         * Returns the key of the channel: 32 bytes in Base64, known to the agents of this
         * generation only.
         */
        String key();

        default ChannelKind channel() {
            return ChannelKind.DIRECT;
        }

        /** Returns the link shaping limits. */
        default List<LinkLimit> limits() {
            return List.of();
        }

        /**
         * Returns the data addresses of all ranks as {@code host:port}, in rank order, which the
         * agents reported when they registered; null if the service does not know all of them.
         */
        @Nullable List<String> addresses();
    }

    /** Requires a text for each peer, unless there are none; returns an immutable copy. */
    private static @Nullable List<String> ofEach(
            String name, List<WorkerId> peers, @Nullable List<String> texts) {
        if (texts == null) {
            return null;
        }
        Rules.sameSize(name, texts, peers);
        return List.copyOf(texts);
    }

    /**
     * Assignment to profile kernels. Co-located workers measure at the same time, since they slow
     * one another. They measure the same number of points, in lockstep.
     *
     * @param id id of the assignment
     * @param generation generation of the assignment
     * @param session id of the session
     * @param rank index in {@code peers}
     * @param peers workers that measure at the same time, this one included
     * @param key 32 bytes in Base64, known to the agents of this session only
     * @param network whose training step is measured
     * @param measurements kernels and points, in order
     * @param precision stopping rule of a point
     * @param slowDown slowdown of this worker during the session, so that co-located workers
     *     measure under the load of the run; reported times exclude it
     * @param addresses null if the service does not know the data addresses of all peers
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
            double slowDown,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> addresses)
            implements Joint {

        /** Creates an assignment without data addresses. */
        public Profiling(
                AssignmentId id,
                int generation,
                UUID session,
                int rank,
                List<WorkerId> peers,
                String key,
                Architecture network,
                List<Measurement> measurements,
                Precision precision,
                double slowDown) {
            this(
                    id,
                    generation,
                    session,
                    rank,
                    peers,
                    key,
                    network,
                    measurements,
                    precision,
                    slowDown,
                    null);
        }

        public Profiling {
            peers = List.copyOf(peers);
            measurements = List.copyOf(measurements);
            addresses = ofEach("addresses", peers, addresses);
            Rules.atLeast("slowDown", slowDown, 1.0);
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("peers", peers.size(), rank + 1L);
        }

        @Override
        public UUID meeting() {
            return session;
        }

        /** Omits the key, which must not reach a log. */
        @Override
        public String toString() {
            return "Profiling[assignment=%s, session=%s, rank=%d of %d, measurements=%s]"
                    .formatted(id, session, rank, peers.size(), measurements);
        }
    }

    /**
     * Assignment to measure the links between all pairs of these workers, and to time all-reduces
     * over the first ones. Rank 0 reports.
     *
     * @param id id of the assignment
     * @param generation generation of the assignment
     * @param measurement id of the measurement
     * @param rank index in {@code peers}
     * @param peers measured workers, in rank order
     * @param key 32 bytes in Base64, known to the agents of this measurement only
     * @param addresses null if the service does not know the data addresses of all peers
     */
    record LinkProfiling(
            AssignmentId id,
            int generation,
            UUID measurement,
            int rank,
            List<WorkerId> peers,
            String key,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> addresses)
            implements Joint {

        /**
         * Most workers of one measurement. It measures every pair, and a worker takes part in one
         * pair at a time.
         */
        public static final int MAX_WORKERS = 64;

        /** Creates an assignment without data addresses. */
        public LinkProfiling(
                AssignmentId id,
                int generation,
                UUID measurement,
                int rank,
                List<WorkerId> peers,
                String key) {
            this(id, generation, measurement, rank, peers, key, null);
        }

        public LinkProfiling {
            peers = List.copyOf(peers);
            addresses = ofEach("addresses", peers, addresses);
            Rules.atLeast("rank", rank, 0);
            Rules.atLeast("peers", peers.size(), Math.max(2, rank + 1L));
        }

        @Override
        public UUID meeting() {
            return measurement;
        }

        /** Omits the key, which must not reach a log. */
        @Override
        public String toString() {
            return "LinkProfiling[assignment=%s, measurement=%s, rank=%d of %d]"
                    .formatted(id, measurement, rank, peers.size());
        }
    }

    /**
     * Assignment to train one rank of a run.
     *
     * @param id id of the assignment
     * @param generation generation of the assignment
     * @param run id of the run
     * @param rank index in {@code peers}
     * @param peers workers of all ranks, in rank order
     * @param key 32 bytes in Base64, known to the agents of this generation only
     * @param plan plan on which all ranks agree
     * @param checkpointing null if the run is never preempted and fails with the loss of a rank
     * @param continuation null if the rank begins with a checkpoint or the initial weights
     * @param traceparent trace of the run in the W3C format; null without tracing
     * @param addresses null if the service does not know the data addresses of all peers
     * @param workers names of the workers of all ranks, in rank order; null if the agent of one
     *     cannot compare its data and its weights with those of the others
     * @param model null if the run keeps no model and begins with random weights
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
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceparent,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> addresses,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> workers,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ModelInstructions model)
            implements Joint {

        /** Creates an assignment without checkpoints. */
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

        /** Creates an assignment without tracing. */
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

        /** Creates an assignment without data addresses. */
        public Training(
                AssignmentId id,
                int generation,
                RunId run,
                int rank,
                List<WorkerId> peers,
                String key,
                TrainingPlan plan,
                @Nullable Checkpointing checkpointing,
                @Nullable Continuation continuation,
                @Nullable String traceparent) {
            this(
                    id,
                    generation,
                    run,
                    rank,
                    peers,
                    key,
                    plan,
                    checkpointing,
                    continuation,
                    traceparent,
                    null);
        }

        /** Creates an assignment whose ranks compare neither data nor weights. */
        public Training(
                AssignmentId id,
                int generation,
                RunId run,
                int rank,
                List<WorkerId> peers,
                String key,
                TrainingPlan plan,
                @Nullable Checkpointing checkpointing,
                @Nullable Continuation continuation,
                @Nullable String traceparent,
                @Nullable List<String> addresses) {
            this(
                    id,
                    generation,
                    run,
                    rank,
                    peers,
                    key,
                    plan,
                    checkpointing,
                    continuation,
                    traceparent,
                    addresses,
                    null);
        }

        /** Creates an assignment without instructions about models. */
        public Training(
                AssignmentId id,
                int generation,
                RunId run,
                int rank,
                List<WorkerId> peers,
                String key,
                TrainingPlan plan,
                @Nullable Checkpointing checkpointing,
                @Nullable Continuation continuation,
                @Nullable String traceparent,
                @Nullable List<String> addresses,
                @Nullable List<String> workers) {
            this(
                    id,
                    generation,
                    run,
                    rank,
                    peers,
                    key,
                    plan,
                    checkpointing,
                    continuation,
                    traceparent,
                    addresses,
                    workers,
                    null);
        }

        public Training {
            peers = List.copyOf(peers);
            addresses = ofEach("addresses", peers, addresses);
            workers = ofEach("workers", peers, workers);
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

        /** Omits the key, which must not reach a log. */
        @Override
        public String toString() {
            return "Training[assignment=%s, run=%s, generation=%d, rank=%d of %d]"
                    .formatted(id, run, generation, rank, peers.size());
        }
    }

    /**
     * Assignment to train all replicas of a run on a virtual clock.
     *
     * @param id id of the assignment
     * @param generation generation of the assignment
     * @param run id of the run
     * @param plan plan of all replicas
     * @param traceparent trace of the run in the W3C format; null without tracing
     * @param model null if the run keeps no model and begins with random weights
     */
    record Simulation(
            AssignmentId id,
            int generation,
            RunId run,
            TrainingPlan plan,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String traceparent,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ModelInstructions model)
            implements Assignment {

        /** Creates an assignment without tracing. */
        public Simulation(AssignmentId id, int generation, RunId run, TrainingPlan plan) {
            this(id, generation, run, plan, null);
        }

        /** Creates an assignment without instructions about models. */
        public Simulation(
                AssignmentId id,
                int generation,
                RunId run,
                TrainingPlan plan,
                @Nullable String traceparent) {
            this(id, generation, run, plan, traceparent, null);
        }
    }
}
