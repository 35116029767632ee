package dev.equipoise.performance.simulation;

import dev.equipoise.performance.cost.GradientBucket;
import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import dev.equipoise.protocol.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Simulates replicas that exchange the gradient of a round bucket by bucket (docs/algorithms.md,
 * section 3.3). A replica begins the exchange of bucket b when it has computed the bucket and has
 * ended the exchange of bucket b - 1: {@code end(b) = max(ready(b), end(b - 1)) + exchange(b)}. The
 * round ends with the last bucket.
 */
final class BucketRounds {

    private final Scenario scenario;
    private final Computing computing;
    private final List<Exchange> exchanges;
    private final double[] clock;
    private final double[] begun;
    private final double[] computed;
    private final double[] needed;
    private final double[] transfer;
    private final double[] wait;

    BucketRounds(Scenario scenario, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.exchanges = exchanges(scenario);
        int replicas = scenario.replicas();
        this.clock = new double[replicas];
        this.begun = new double[replicas];
        this.computed = new double[replicas];
        this.needed = new double[replicas];
        this.transfer = new double[replicas];
        this.wait = new double[replicas];
    }

    /** Creates the exchange of each bucket; those at servers share the ports. */
    private static List<Exchange> exchanges(Scenario scenario) {
        Ports ports = ServedInStep.ports(scenario);
        return scenario.buckets().stream()
                .map(bucket -> exchange(scenario.of(bucket), ports))
                .toList();
    }

    private static Exchange exchange(Scenario ofBucket, Ports ports) {
        return switch (ofBucket.method().topology()) {
            case Topology.AllReduce all -> AllReduces.of(all.algorithm(), ofBucket);
            case Topology.ParameterServer _ -> new ServedInStep(ofBucket, ports);
            case Topology.Gossip _ ->
                    throw new IllegalArgumentException("gossip exchanges no buckets");
        };
    }

    Timing play() {
        for (int round = 0; round < scenario.rounds(); round++) {
            compute();
            if (scenario.isExchanging()) {
                exchange();
            } else {
                System.arraycopy(computed, 0, clock, 0, clock.length);
            }
        }
        return timing();
    }

    private void compute() {
        for (int replica = 0; replica < clock.length; replica++) {
            begun[replica] = clock[replica];
            computed[replica] = clock[replica] + computing.next(replica);
        }
    }

    private void exchange() {
        for (int i = 0; i < exchanges.size(); i++) {
            GradientBucket bucket = scenario.buckets().get(i);
            for (int replica = 0; replica < clock.length; replica++) {
                double seconds = computed[replica] - begun[replica];
                double ready =
                        bucket.ready() == 1
                                ? computed[replica]
                                : begun[replica] + bucket.ready() * seconds;
                clock[replica] = Math.max(clock[replica], ready);
            }
            exchanges.get(i).play(clock, needed);
        }
        account();
    }

    /** Adds the exposed time: from the end of a replica's own computing to the end of the round. */
    private void account() {
        double last = Arrays.stream(computed).max().orElseThrow();
        for (int replica = 0; replica < clock.length; replica++) {
            clock[replica] = Math.max(clock[replica], computed[replica]);
            double exposed = clock[replica] - computed[replica];
            double waited = Math.min(exposed, last - computed[replica]);
            wait[replica] += waited;
            transfer[replica] += exposed - waited;
        }
    }

    private Timing timing() {
        double seconds = DoubleStream.of(clock).max().orElseThrow();
        double busy = exchanges.stream().mapToDouble(Exchange::serverBusy).max().orElse(0);
        return new Timing(
                seconds,
                IntStream.range(0, clock.length)
                        .mapToObj(i -> new ReplicaTime(computing.spent(i), transfer[i], wait[i]))
                        .toList(),
                exchanges.stream().mapToDouble(Exchange::bytes).sum(),
                seconds > 0 ? busy / seconds : 0,
                new TreeMap<>());
    }
}
