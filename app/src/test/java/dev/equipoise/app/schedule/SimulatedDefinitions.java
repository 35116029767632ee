package dev.equipoise.app.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Definitions of simulated runs: 3 epochs of 6 rounds, except where a comment says otherwise. */
final class SimulatedDefinitions {

    private static final int HIGHEST_PRIORITY = 3;

    private static final String THREE_REPLICAS =
            """
            "dataset": {"name": "mnist", "limit": 180}, "training": {"epochs": 3, "batchSize": 10},
            """;

    private static final String TWO_REPLICAS =
            """
            "dataset": {"name": "mnist", "limit": 120}, "training": {"epochs": 3, "batchSize": 10},
            """;

    /** Continues with two of its three ranks, and may be preempted. */
    private static final String ELASTIC =
            THREE_REPLICAS
                    + """
                    "workers": {"replicas": 3, "minimum": 2}, "preemption": "allowed"}
                    """;

    /** As above, but each replica has its own weights. */
    private static final String GOSSIP =
            THREE_REPLICAS
                    + """
                    "synchronization": {"kind": "local-sgd", "period": 1},
                    "topology": {"kind": "gossip", "schedule": "dissemination", "payload": "weights"},
                    "workers": {"replicas": 3, "minimum": 2}, "preemption": "allowed"}
                    """;

    /** As above, but in a ring: each rank sends to the next one only. */
    private static final String PUSH_SUM =
            THREE_REPLICAS
                    + """
                    "synchronization": {"kind": "local-sgd", "period": 1},
                    "topology": {"kind": "gossip", "schedule": {"kind": "fixed", "distance": 1},
                                 "payload": "weights", "mixing": "push-sum"},
                    "workers": {"replicas": 3, "minimum": 2}, "preemption": "allowed"}
                    """;

    /** Three equal replicas, which go back to their last average when they lose others. */
    private static final String LOCAL_SGD =
            """
            "dataset": {"name": "mnist", "limit": 180},
            "training": {"epochs": 3, "batchSize": 10,
                         "optimizer": {"kind": "sgd", "learningRate": 0.1, "momentum": 0.5}},
            "synchronization": {"kind": "local-sgd", "period": 3, "momentum": "average"},
            "workers": {"replicas": 3, "minimum": 2}}
            """;

    /** One server and two replicas, of which one suffices. */
    private static final String SERVER =
            TWO_REPLICAS
                    + """
                    "synchronization": "async", "topology": "parameter-server",
                    "workers": {"replicas": 2, "minimum": 1}, "preemption": "allowed"}
                    """;

    /** Two servers, both of which it needs, and two replicas, of which one suffices. */
    private static final String STALE_SYNCHRONOUS =
            TWO_REPLICAS
                    + """
                    "synchronization": {"kind": "stale-synchronous", "bound": 1},
                    "topology": {"kind": "parameter-server", "servers": 2},
                    "workers": {"replicas": 2, "minimum": 1}, "preemption": "allowed"}
                    """;

    /** Needs both ranks; its checkpoints are only those of preemptions. */
    private static final String RIGID =
            TWO_REPLICAS
                    + """
                    "workers": {"replicas": 2}, "preemption": "allowed", "checkpoint": {"every": 0}}
                    """;

    /** Restarts from its last checkpoint, of which each rank has a part of its own. */
    private static final String DILOCO =
            TWO_REPLICAS
                    + """
                    "synchronization": {"kind": "diloco", "period": 2},
                    "workers": {"replicas": 2}, "preemption": "allowed"}
                    """;

    /** As above, with a residual on each rank. */
    private static final String TOP_K =
            TWO_REPLICAS
                    + """
                    "compression": {"kind": "top-k", "fraction": 0.1},
                    "workers": {"replicas": 2}, "preemption": "allowed"}
                    """;

    /** Two epochs, traced and recorded, without checkpoints: it restarts from the beginning. */
    private static final String TRACED =
            """
            "dataset": {"name": "mnist", "limit": 80}, "training": {"epochs": 2, "batchSize": 10},
            "workers": {"replicas": 2}, "trace": true, "record": true}
            """;

    private static final List<Method> METHODS =
            List.of(
                    new Method("elastic", ELASTIC),
                    new Method("gossip", GOSSIP),
                    new Method("push-sum", PUSH_SUM),
                    new Method("local-sgd", LOCAL_SGD),
                    new Method("server", SERVER),
                    new Method("stale-synchronous", STALE_SYNCHRONOUS),
                    new Method("rigid", RIGID),
                    new Method("diloco", DILOCO),
                    new Method("top-k", TOP_K),
                    new Method("traced", TRACED));

    private SimulatedDefinitions() {}

    private record Method(String name, String fields) {}

    /**
     * A definition of a seed.
     *
     * @param text in JSON
     */
    record Drawn(String name, int priority, String text) {

        /** Names it in the history of a seed. */
        @Override
        public String toString() {
            return "%s with priority %d".formatted(name, priority);
        }
    }

    /** Draws definitions of different methods, each with a priority. */
    static List<Drawn> draw(int count, Random random) {
        List<Method> methods = new ArrayList<>(METHODS);
        Collections.shuffle(methods, random);
        List<Drawn> drawn = new ArrayList<>();
        for (Method method : methods.subList(0, count)) {
            int priority = random.nextInt(HIGHEST_PRIORITY + 1);
            drawn.add(
                    new Drawn(
                            method.name(),
                            priority,
                            common(method.name(), priority) + method.fields()));
        }
        return List.copyOf(drawn);
    }

    private static String common(String name, int priority) {
        return """
        {"apiVersion": "equipoise/v1", "name": "%s", "priority": %d,
         "network": {"layers": ["flatten", {"dense": 10}]}, "restarts": 100,
        """
                .formatted(name, priority);
    }
}
