package dev.equipoise.agent.trace;

import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * Span of a rank with consecutive child spans: rendezvous, data, preparation, and each epoch. A
 * part that is interrupted has no span of its own. Virtual runs have no epoch spans, since their
 * epochs are on a virtual clock.
 */
final class TracedRank implements RankTrace {

    private final Tracer tracer;
    private final Span rank;
    private final boolean isReal;

    /** Guarded by this. */
    private @Nullable Span current;

    TracedRank(Tracer tracer, Span rank, boolean isReal) {
        this.tracer = tracer;
        this.rank = rank;
        this.isReal = isReal;
        if (isReal) {
            current = begin("meet");
        }
    }

    private Span begin(String name) {
        return tracer.spanBuilder(name).setParent(Context.root().with(rank)).startSpan();
    }

    /** Ends the current part, and begins the next one. */
    private void beginPart(String name) {
        if (current != null) {
            current.end();
        }
        current = begin(name);
    }

    @Override
    public synchronized void passed(RunNotes.Stage stage) {
        beginPart(
                switch (stage) {
                    case MET -> "data";
                    case HAS_DATA -> "prepare";
                });
    }

    @Override
    public synchronized void heard(RunReport event) {
        if (!isReal) {
            return;
        }
        if (event instanceof ReplicaReady) {
            beginPart("epoch");
        } else if (event instanceof EpochFinished finished && current != null) {
            current.setAllAttributes(attributes(finished));
            beginPart("epoch");
        }
    }

    private static Attributes attributes(EpochFinished finished) {
        Phases phases = finished.phases();
        Traffic traffic = finished.traffic();
        return Attributes.builder()
                .put("equipoise.epoch", finished.epoch())
                .put("equipoise.samples", finished.samples())
                .put("equipoise.loss", finished.meanLoss())
                .put("equipoise.seconds", finished.wallSeconds())
                .put("equipoise.seconds.compute", phases.computeSeconds())
                .put("equipoise.seconds.encode", phases.encodeSeconds())
                .put("equipoise.seconds.transfer", phases.transferSeconds())
                .put("equipoise.seconds.wait", phases.waitSeconds())
                .put("equipoise.seconds.apply", phases.applySeconds())
                .put("equipoise.bytes.gradient", traffic.gradientBytes())
                .put("equipoise.bytes.weights", traffic.weightBytes())
                .put("equipoise.bytes.control", traffic.controlBytes())
                .build();
    }

    @Override
    public synchronized void end(Outcome last) {
        switch (last) {
            case Outcome.Failed failed ->
                    rank.setStatus(StatusCode.ERROR, failed.code() + ": " + failed.message());
            case Outcome.Interrupted interrupted ->
                    rank.addEvent(
                            "suspended",
                            Attributes.builder()
                                    .put("equipoise.missing", interrupted.missing().toString())
                                    .build());
            case Outcome.Preempted preempted ->
                    rank.addEvent(
                            "preempted",
                            Attributes.builder().put("equipoise.epoch", preempted.epoch()).build());
            case Outcome.Finished _ -> {}
        }
        rank.end();
    }
}
