package dev.equipoise.performance.simulation;

import dev.equipoise.performance.simulation.Timing.ReplicaTime;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * Parameter servers that apply every gradient on arrival (docs/algorithms.md, sections 4.2 and
 * 4.3). A replica pulls the weights from all servers, computes, pushes its gradient to all, and
 * gets a confirmation from each. The gate delays replicas that are too far ahead of the slowest.
 * Messages without payload queue at the ports, too.
 */
final class ServedOnArrival {

    /** Bytes of a message without weights or a gradient. */
    private static final double HEADER_BYTES = 64;

    /** The server that counts rounds and blocks replicas. */
    private static final int LEADING = 0;

    /** A timed action; simultaneous events run in the order in which they were scheduled. */
    private record Event(double at, long number, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final Scenario scenario;
    private final Computing computing;
    private final Gate gate;

    /**
     * Whether the leading server is asked first; with a barrier it blocks replicas before these ask
     * the others.
     */
    private final boolean leadingFirst;

    private final int servers;
    private final int replicas;
    private final double frameBytes;
    private final double answerBytes;
    private final double applySeconds;
    private final Ports ports;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final TreeMap<Integer, Long> staleness = new TreeMap<>();
    private long scheduled;
    private int version;

    private final int[] roundsLeft;
    private final int[] framesAwaited;
    private final int[] versionRead;
    private final double[] exchangingSince;
    private final double[] askedAt;
    private final double[] exchanged;
    private final double[] blocked;
    private final double[] doneAt;

    ServedOnArrival(Scenario scenario, Computing computing) {
        this.scenario = scenario;
        this.computing = computing;
        this.servers = scenario.servers();
        this.replicas = scenario.replicas();
        this.gate = Gate.of(scenario.method().synchronization(), replicas);
        this.leadingFirst = gate instanceof Gate.Barrier;
        this.frameBytes = scenario.traffic().frameBytes() / servers;
        this.answerBytes = scenario.traffic().answerBytes() / servers;
        this.applySeconds =
                scenario.traffic().addSecondsPerByte() * scenario.traffic().vectorBytes() / servers;
        this.ports = new Ports(scenario.links(), servers + replicas);
        this.roundsLeft = new int[replicas];
        this.framesAwaited = new int[replicas];
        this.versionRead = new int[replicas];
        this.exchangingSince = new double[replicas];
        this.askedAt = new double[replicas];
        this.exchanged = new double[replicas];
        this.blocked = new double[replicas];
        this.doneAt = new double[replicas];
    }

    Timing play() {
        Arrays.fill(roundsLeft, scenario.rounds());
        for (int replica = 0; replica < replicas; replica++) {
            int first = replica;
            at(0, () -> pull(first, 0));
        }
        while (!events.isEmpty()) {
            events.remove().action().run();
        }
        return timing();
    }

    private void at(double time, Runnable action) {
        events.add(new Event(time, scheduled++, action));
    }

    /** Sends a frame now and runs the callback on its arrival. */
    private void send(int from, int to, double now, double bytes, DoubleConsumer arrived) {
        Ports.Frame frame = ports.send(from, to, now, bytes);
        at(
                frame.reaches(),
                () -> {
                    double end = ports.receive(frame);
                    at(end, () -> arrived.accept(end));
                });
    }

    private void pull(int replica, double now) {
        exchangingSince[replica] = now;
        framesAwaited[replica] = servers;
        ask(replica, LEADING, now);
        if (!leadingFirst) {
            askOthers(replica, now);
        }
    }

    private void askOthers(int replica, double now) {
        for (int server = LEADING + 1; server < servers; server++) {
            ask(replica, server, now);
        }
    }

    private void ask(int replica, int server, double now) {
        send(servers + replica, server, now, HEADER_BYTES, at -> asked(replica, server, at));
    }

    private void asked(int replica, int server, double now) {
        if (server == LEADING) {
            askedAt[replica] = now;
            gate.waits(replica);
            answerUnblocked(now);
        } else {
            answer(replica, server, now);
        }
    }

    private void answerUnblocked(double now) {
        for (int replica : gate.answered()) {
            blocked[replica] += now - askedAt[replica];
            versionRead[replica] = version;
            answer(replica, LEADING, now);
        }
    }

    private void answer(int replica, int server, double now) {
        send(server, servers + replica, now, answerBytes, at -> pulled(replica, server, at));
    }

    private void pulled(int replica, int server, double now) {
        framesAwaited[replica]--;
        if (server == LEADING && leadingFirst) {
            askOthers(replica, now);
        }
        if (framesAwaited[replica] == 0) {
            exchanged[replica] += now - exchangingSince[replica];
            double done = now + computing.next(replica) + scenario.traffic().codecSeconds();
            at(done, () -> push(replica, done));
        }
    }

    private void push(int replica, double now) {
        exchangingSince[replica] = now;
        framesAwaited[replica] = servers;
        for (int server = 0; server < servers; server++) {
            int taking = server;
            send(servers + replica, server, now, frameBytes, at -> taken(replica, taking, at));
        }
    }

    private void taken(int replica, int server, double now) {
        double applied = now + applySeconds;
        at(
                applied,
                () -> {
                    send(
                            server,
                            servers + replica,
                            applied,
                            HEADER_BYTES,
                            at -> confirmed(replica, at));
                    if (server == LEADING) {
                        staleness.merge(version - versionRead[replica], 1L, Long::sum);
                        version++;
                        gate.completed(replica, roundsLeft[replica] == 1);
                        answerUnblocked(applied);
                    }
                });
    }

    private void confirmed(int replica, double now) {
        framesAwaited[replica]--;
        if (framesAwaited[replica] > 0) {
            return;
        }
        exchanged[replica] += now - exchangingSince[replica];
        roundsLeft[replica]--;
        if (roundsLeft[replica] == 0) {
            doneAt[replica] = now;
        } else {
            pull(replica, now);
        }
    }

    private Timing timing() {
        double seconds = Arrays.stream(doneAt).max().orElseThrow();
        double busiest = IntStream.range(0, servers).mapToDouble(ports::busy).max().orElseThrow();
        return new Timing(
                seconds,
                IntStream.range(0, replicas)
                        .mapToObj(i ->
                                new ReplicaTime(
                                        computing.spent(i), exchanged[i] - blocked[i], blocked[i]))
                        .toList(),
                ports.bytes(),
                seconds > 0 ? busiest / seconds : 0,
                staleness);
    }
}
