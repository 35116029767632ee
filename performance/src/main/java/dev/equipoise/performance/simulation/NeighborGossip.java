package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Gossip exchange: each replica sends to its partners and waits for their frames alone. */
final class NeighborGossip implements Exchange {

    private final Topology.Gossip gossip;
    private final int replicas;
    private final double frameBytes;
    private final double mixSeconds;
    private final Ports ports;
    private final Exchange globalAverage;
    private final SplittableRandom random;
    private int exchanges;

    NeighborGossip(Scenario scenario, Topology.Gossip gossip, long seed) {
        this.gossip = gossip;
        this.replicas = scenario.replicas();
        this.frameBytes = scenario.traffic().frameBytes();
        this.mixSeconds = scenario.traffic().addSecondsPerByte() * scenario.traffic().vectorBytes();
        this.ports = new Ports(scenario.links(), replicas);
        this.globalAverage = AllReduces.plain(Topology.Algorithm.RING, scenario);
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void play(double[] ready, double[] needed) {
        List<Ports.Frame> frames = new ArrayList<>();
        double[] began = ready.clone();
        System.arraycopy(ready, 0, needed, 0, replicas);
        for (int[] pair : messages()) {
            frames.add(ports.send(pair[0], pair[1], began[pair[0]], frameBytes));
        }
        ports.receive(frames);
        for (Ports.Frame frame : frames) {
            ready[frame.to] = Math.max(ready[frame.to], frame.arrived() + mixSeconds);
            needed[frame.to] = Math.max(needed[frame.to], began[frame.from]);
        }
        for (int rank = 0; rank < replicas; rank++) {
            // A rank mixes only after its own frames have left it.
            ready[rank] = Math.max(ready[rank], ports.sentAt(rank) + mixSeconds);
        }
        exchanges++;
        if (gossip.globalAverageEvery() > 0 && exchanges % gossip.globalAverageEvery() == 0) {
            globalAverage.play(ready, needed);
        }
    }

    /** Returns the sender and the receiver of each frame of this exchange. */
    private List<int[]> messages() {
        return switch (gossip.schedule()) {
            case Partners.Linear _ -> atDistance(1 + exchanges % (replicas / 2));
            case Partners.Dissemination _ ->
                    atDistance(1 << exchanges % Math.max(1, log2(replicas)));
            case Partners.Fixed fixed -> atDistance(fixed.distance());
            case Partners.RandomMatching _ -> matched();
        };
    }

    private static int log2(int ranks) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }

    private List<int[]> atDistance(int distance) {
        List<int[]> messages = new ArrayList<>();
        for (int rank = 0; rank < replicas; rank++) {
            int right = (rank + distance) % replicas;
            int left = Math.floorMod(rank - distance, replicas);
            messages.add(new int[] {rank, right});
            if (left != right && gossip.mixing() != Mixing.PUSH_SUM) {
                messages.add(new int[] {rank, left});
            }
        }
        return messages;
    }

    private List<int[]> matched() {
        int[] order = permutation();
        List<int[]> messages = new ArrayList<>();
        for (int i = 0; i + 1 < replicas; i += 2) {
            messages.add(new int[] {order[i], order[i + 1]});
            messages.add(new int[] {order[i + 1], order[i]});
        }
        return messages;
    }

    /** Draws an order of the replicas (Fisher-Yates shuffle). */
    private int[] permutation() {
        int[] order = new int[replicas];
        Arrays.setAll(order, i -> i);
        for (int i = replicas - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    @Override
    public double bytes() {
        return ports.bytes() + globalAverage.bytes();
    }
}
