package dev.equipoise.agent.instrument;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.AgentEvent.Traffic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures one rank. The end of one phase is the beginning of the next, so that the phases of an
 * epoch add up to its wall time as long as none goes unnamed. Bytes belong to the kind whose
 * exchange ended first after they were sent. One thread uses it at a time.
 */
public final class Instruments {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Time time;
    private final Channel channel;
    private final Map<Phase, Long> nanos = new EnumMap<>(Phase.class);
    private final Map<Kind, Long> bytes = new EnumMap<>(Kind.class);
    private final List<Exchange> exchanges = new ArrayList<>();
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
     * Begins at once.
     *
     * @param mostSlices of an epoch that are kept one by one, besides their sums
     */
    public Instruments(Time time, Channel channel, int mostSlices) {
        this.time = time;
        this.channel = channel;
        this.slices = new SliceLog(mostSlices);
        this.hiddenSlices = new SliceLog(mostSlices);
        begin();
    }

    /** An epoch begins: all figures are zero again. */
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

    /** The epoch is over, whatever phase was the last. */
    public void finish() {
        ended = time.nanoTime();
    }

    /** What has passed, and what was sent, since the last phase ended belongs to none. */
    public void resume() {
        last = time.nanoTime();
        bytesBefore = channel.bytesSent();
        framesBefore = channel.framesSent();
    }

    /** What has passed since the previous phase ended was this phase. */
    public void end(Phase phase) {
        long now = time.nanoTime();
        nanos.merge(phase, now - last, Long::sum);
        slices.add(phase, last, now);
        last = now;
    }

    /**
     * What has passed was an exchange without which nobody goes on.
     *
     * @param partners without whom it cannot end; empty for all ranks
     */
    public void endExchange(Kind kind, List<Integer> partners) {
        long ready = last;
        end(Phase.TRANSFER);
        exchanges.add(new Exchange(partners, ready, last));
        sent(kind);
    }

    /** What was sent since the last time was of this kind. */
    public void sent(Kind kind) {
        long bytesNow = channel.bytesSent();
        long framesNow = channel.framesSent();
        bytes.merge(kind, bytesNow - bytesBefore, Long::sum);
        frames += framesNow - framesBefore;
        bytesBefore = bytesNow;
        framesBefore = framesNow;
    }

    /** Adds what another thread of this rank did in the background, whose figures are at an end. */
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

    /** The weights have made a step at this learning rate. */
    public void stepped(double learningRate) {
        rates += learningRate;
        steps++;
    }

    /** Steps were made whose learning rates sum up to so much. */
    public void stepped(long times, double sumOfRates) {
        steps += times;
        rates += sumOfRates;
    }

    /** A gradient was applied that was so stale, in the method's own measure. */
    public void applied(long howStale) {
        staleness.add(howStale);
    }

    /** When this rank was ready for each exchange, in their order. */
    long[] readyStamps() {
        return exchanges.stream().mapToLong(Exchange::ready).toArray();
    }

    List<Exchange> exchanges() {
        return exchanges;
    }

    /** So much of an exchange, which was taken for transfer, was a wait for others. */
    void waited(Exchange exchange, long nanoseconds) {
        slices.waited(exchange.ready(), nanoseconds);
        nanos.merge(Phase.TRANSFER, -nanoseconds, Long::sum);
        nanos.merge(Phase.WAIT, nanoseconds, Long::sum);
    }

    /** When the epoch began. */
    long begun() {
        return begun;
    }

    /** What this thread did, so far, in this epoch. */
    SliceLog slices() {
        return slices;
    }

    /** What went on in the background, so far, in this epoch. */
    SliceLog hiddenSlices() {
        return hiddenSlices;
    }

    /**
     * From the beginning of the epoch to its end, by readings of their own: so far as the phases do
     * not add up to it, one was forgotten.
     */
    public double wallSeconds() {
        return (ended - begun) / NANOS_PER_SECOND;
    }

    /** So much training went before, elsewhere. */
    public void resumeAfter(long nanoseconds) {
        before = nanoseconds;
        begun = last;
        ended = last;
    }

    /** Of all epochs, up to the end of the latest phase, in nanoseconds. */
    public long trainedNanos() {
        return before + last - begun;
    }

    /** So far, in this epoch. */
    public Phases phases() {
        return new Phases(
                seconds(Phase.COMPUTE),
                seconds(Phase.ENCODE),
                seconds(Phase.TRANSFER),
                seconds(Phase.WAIT),
                seconds(Phase.APPLY),
                hidden / NANOS_PER_SECOND);
    }

    /** So far, in this epoch. */
    public Traffic traffic() {
        return new Traffic(bytes(Kind.GRADIENT), bytes(Kind.WEIGHTS), bytes(Kind.CONTROL), frames);
    }

    /** Of the steps of this epoch; 0 of none. */
    public double meanLearningRate() {
        return steps == 0 ? 0 : rates / steps;
    }

    /** In this epoch. */
    public long steps() {
        return steps;
    }

    /** Of what was applied in this epoch. */
    public StalenessHistogram staleness() {
        return staleness.histogram();
    }

    private double seconds(Phase phase) {
        return nanos.getOrDefault(phase, 0L) / NANOS_PER_SECOND;
    }

    private long bytes(Kind kind) {
        return bytes.getOrDefault(kind, 0L);
    }
}
