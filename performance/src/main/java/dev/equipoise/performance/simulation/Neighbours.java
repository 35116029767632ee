package dev.equipoise.performance.simulation;

import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.Topology.Mixing;
import dev.equipoise.protocol.Topology.Partners;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Each replica tells its partners, and waits for theirs alone. */
final class Neighbours implements Exchange {

    private final Topology.Gossip gossip;
    private final int replicas;
    private final double frameBytes;
    private final double mixSeconds;
    private final Ports ports;
    private final Exchange globalAverage;
    private final SplittableRandom chance;
    private int exchanges;

    Neighbours(Scenario scenario, Topology.Gossip gossip, long seed) {
        this.gossip = gossip;
        this.replicas = scenario.replicas();
        this.frameBytes = scenario.traffic().frameBytes();
        this.mixSeconds = scenario.traffic().addSecondsPerByte() * scenario.traffic().vectorBytes();
        this.ports = new Ports(scenario.links(), replicas);
        this.globalAverage = AllReduces.plain(Topology.Algorithm.RING, scenario);
        this.chance = new SplittableRandom(seed);
    }

    @Override
    public void play(double[] ready, double[] needed) {
        List<Ports.Frame> frames = new ArrayList<>();
        double[] began = ready.clone();
        System.arraycopy(ready, 0, needed, 0, replicas);
        for (int[] told : told()) {
            frames.add(ports.send(told[0], told[1], began[told[0]], frameBytes));
        }
        ports.receive(frames);
        for (Ports.Frame frame : frames) {
            ready[frame.to] = Math.max(ready[frame.to], frame.arrived() + mixSeconds);
            needed[frame.to] = Math.max(needed[frame.to], began[frame.from]);
        }
        for (int rank = 0; rank < replicas; rank++) {
            // What is told is mixed with what is heard only when it is out.
            ready[rank] = Math.max(ready[rank], ports.sentAt(rank) + mixSeconds);
        }
        exchanges++;
        if (gossip.globalAverageEvery() > 0 && exchanges % gossip.globalAverageEvery() == 0) {
            globalAverage.play(ready, needed);
        }
    }

    /** Who tells whom in this exchange. */
    private List<int[]> told() {
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
        List<int[]> told = new ArrayList<>();
        for (int rank = 0; rank < replicas; rank++) {
            int right = (rank + distance) % replicas;
            int left = Math.floorMod(rank - distance, replicas);
            told.add(new int[] {rank, right});
            if (left != right && gossip.mixing() != Mixing.PUSH_SUM) {
                told.add(new int[] {rank, left});
            }
        }
        return told;
    }

    private List<int[]> matched() {
        int[] order = new int[replicas];
        Arrays.setAll(order, i -> i);
        for (int i = replicas - 1; i > 0; i--) {
            int other = chance.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        List<int[]> told = new ArrayList<>();
        for (int i = 0; i + 1 < replicas; i += 2) {
            told.add(new int[] {order[i], order[i + 1]});
            told.add(new int[] {order[i + 1], order[i]});
        }
        return told;
    }

    @Override
    public double bytes() {
        return ports.bytes() + globalAverage.bytes();
    }
}
