package dev.equipoise.agent.instrument;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures time, traffic and staleness of one rank. Each phase begins where the last one ended, so
 * that the phases of an epoch sum to its wall time if none is omitted. Bytes belong to the kind
 * whose exchange ends first after they were sent. One thread uses it at a time.
 */
public final class Instruments {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Time time;
    private final Channel channel;
    private final Map<Phase, Long> nanos = new EnumMap<>(Phase.class);
    private final Map<TrafficKind, Long> bytes = new EnumMap<>(TrafficKind.class);
    private final List<ExchangeInterval> exchanges = new ArrayList<>();
    private final SliceLog slices;
    private final SliceLog hiddenSlices;
    private final StalenessCount staleness = new StalenessCount();
    private double rates;
    private long steps;
    private long hidden;
    private long before;
    private long begun;
    private long last;
    private long ended;
    private long bytesBefore;
    private long framesBefore;
    private long frames;

    /**
     * Starts the first epoch.
     *
     * @param maxSlices number of slices of an epoch that are kept for the trace
     */
    public Instruments(Time time, Channel channel, int maxSlices) {
        this.time = time;
        this.channel = channel;
        this.slices = new SliceLog(maxSlices);
        this.hiddenSlices = new SliceLog(maxSlices);
        begin();
    }

    /** Starts an epoch with all figures at zero. */
    public void begin() {
        nanos.clear();
        bytes.clear();
        exchanges.clear();
        slices.clear();
        hiddenSlices.clear();
        staleness.clear();
        rates = 0;
        steps = 0;
        hidden = 0;
        frames = 0;
        before += ended - begun;
        resume();
        begun = last;
        ended = last;
    }

    /** Ends the epoch, whatever phase was last. */
    public void finish() {
        ended = time.nanoTime();
    }

    /** Assigns the time and the bytes since the end of the last phase to no phase. */
    public void resume() {
        last = time.nanoTime();
        bytesBefore = channel.bytesSent();
        framesBefore = channel.framesSent();
    }

    /** Ends a phase, which began at the end of the previous one. */
    public void end(Phase phase) {
        long now = time.nanoTime();
        nanos.merge(phase, now - last, Long::sum);
        slices.add(phase, last, now);
        last = now;
    }

    /**
     * Ends an exchange that blocked this rank.
     *
     * @param partners ranks whose part the exchange needs; empty for all ranks
     */
    public void endExchange(TrafficKind kind, List<Integer> partners) {
        long ready = last;
        end(Phase.TRANSFER);
        exchanges.add(new ExchangeInterval(partners, ready, last));
        sent(kind);
    }

    /**
     * Ends exchanges of a background thread, of which the last ones have blocked this rank since
     * the end of the last phase. The part before is hidden behind that phase.
     *
     * @param partners ranks whose part the exchanges need; empty for all ranks
     * @param begun time at which each exchange began
     * @param done time at which each exchange ended
     */
    public void endOverlapped(TrafficKind kind, List<Integer> partners, long[] begun, long[] done) {
        long ready = last;
        endExchange(kind, partners);
        for (int i = 0; i < begun.length; i++) {
            long until = Math.min(done[i], ready);
            if (until > begun[i]) {
                hidden += until - begun[i];
                hiddenSlices.add(Phase.TRANSFER, begun[i], until);
            }
        }
    }

    /** Assigns the bytes sent since the last call to a traffic kind. */
    public void sent(TrafficKind kind) {
        long bytesNow = channel.bytesSent();
        long framesNow = channel.framesSent();
        bytes.merge(kind, bytesNow - bytesBefore, Long::sum);
        frames += framesNow - framesBefore;
        bytesBefore = bytesNow;
        framesBefore = framesNow;
    }

    /** Adds the final figures of a background thread of this rank. */
    public void add(Instruments background) {
        hidden += background.busyNanos();
        hiddenSlices.addAll(background.slices);
        background.bytes.forEach((kind, count) -> bytes.merge(kind, count, Long::sum));
        frames += background.frames;
        bytesBefore = channel.bytesSent();
        framesBefore = channel.framesSent();
    }

    private long busyNanos() {
        long sum = 0;
        for (Map.Entry<Phase, Long> phase : nanos.entrySet()) {
            sum += phase.getKey() == Phase.WAIT ? 0 : phase.getValue();
        }
        return sum;
    }

    /** Counts an optimizer step at a learning rate. */
    public void stepped(double learningRate) {
        rates += learningRate;
        steps++;
    }

    /** Counts optimizer steps, given the sum of their learning rates. */
    public void stepped(long times, double sumOfRates) {
        steps += times;
        rates += sumOfRates;
    }

    /** Counts an applied gradient of this staleness, in the method's own unit. */
    public void applied(long updates) {
        staleness.add(updates);
    }

    /** Returns the time at which this rank was ready for each exchange, in order. */
    long[] readyStamps() {
        return exchanges.stream().mapToLong(ExchangeInterval::ready).toArray();
    }

    List<ExchangeInterval> exchanges() {
        return exchanges;
    }

    /** Moves a part of an exchange from the transfer time to the wait time. */
    void waited(ExchangeInterval exchange, long nanoseconds) {
        slices.waited(exchange.ready(), nanoseconds);
        nanos.merge(Phase.TRANSFER, -nanoseconds, Long::sum);
        nanos.merge(Phase.WAIT, nanoseconds, Long::sum);
    }

    /** Returns the time at which the epoch began, in nanoseconds. */
    public long begun() {
        return begun;
    }

    /** Returns the time at which the epoch ended, in nanoseconds. */
    public long ended() {
        return ended;
    }

    /** Returns the slices of this thread in this epoch so far. */
    SliceLog slices() {
        return slices;
    }

    /** Returns the slices of the background thread in this epoch so far. */
    SliceLog hiddenSlices() {
        return hiddenSlices;
    }

    /**
     * Returns the wall time of the epoch, in seconds, by two clock readings of its own: a
     * difference from the sum of the phases shows an omitted phase.
     */
    public double wallSeconds() {
        return (ended - begun) / NANOS_PER_SECOND;
    }

    /** Adds training time that elapsed before, on other workers. */
    public void resumeAfter(long nanoseconds) {
        before = nanoseconds;
        begun = last;
        ended = last;
    }

    /**
     * Returns the training time of all epochs up to the end of the latest phase, in nanoseconds.
     */
    public long trainedNanos() {
        return before + last - begun;
    }

    /** Returns the phase times of this epoch so far. */
    public Phases phases() {
        return new Phases(
                seconds(Phase.COMPUTE),
                seconds(Phase.ENCODE),
                seconds(Phase.TRANSFER),
                seconds(Phase.WAIT),
                seconds(Phase.APPLY),
                hidden / NANOS_PER_SECOND);
    }

    /** Returns the traffic of this epoch so far. */
    public Traffic traffic() {
        return new Traffic(
                bytes(TrafficKind.GRADIENT),
                bytes(TrafficKind.WEIGHTS),
                bytes(TrafficKind.CONTROL),
                frames);
    }

    /** Returns the mean learning rate over the steps of this epoch; 0 without steps. */
    public double meanLearningRate() {
        return steps == 0 ? 0 : rates / steps;
    }

    /** Returns the number of steps in this epoch. */
    public long steps() {
        return steps;
    }

    /** Returns the staleness of the gradients applied in this epoch. */
    public StalenessHistogram staleness() {
        return staleness.histogram();
    }

    private double seconds(Phase phase) {
        return nanos.getOrDefault(phase, 0L) / NANOS_PER_SECOND;
    }

    private long bytes(TrafficKind kind) {
        return bytes.getOrDefault(kind, 0L);
    }
}
