package dev.equipoise.agent.trace;

import dev.equipoise.agent.service.Notes;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.AgentEvent.ReplicaReady;
import dev.equipoise.protocol.AgentEvent.Traffic;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * The span of a rank, and below it one after the other: meeting its peers, its data, preparing, and
 * each epoch. A part that does not come to its end is told of by the rank's own span alone. The
 * epochs of a virtual run are on a clock of their own, and have none.
 */
final class TracedRank implements RankTrace {

    private final Tracer tracer;
    private final Span rank;
    private final boolean isReal;

    /** Guarded by this. */
    private @Nullable Span part;

    TracedRank(Tracer tracer, Span rank, boolean isReal) {
        this.tracer = tracer;
        this.rank = rank;
        this.isReal = isReal;
        if (isReal) {
            part = begun("meet");
        }
    }

    private Span begun(String name) {
        return tracer.spanBuilder(name).setParent(Context.root().with(rank)).startSpan();
    }

    /** The present part has come to its end, and the next begins. */
    private void follow(String name) {
        if (part != null) {
            part.end();
        }
        part = begun(name);
    }

    @Override
    public synchronized void passed(Notes.Stage stage) {
        follow(
                switch (stage) {
                    case MET -> "data";
                    case HAS_DATA -> "prepare";
                });
    }

    @Override
    public synchronized void heard(AgentEvent event) {
        if (!isReal) {
            return;
        }
        if (event instanceof ReplicaReady) {
            follow("epoch");
        } else if (event instanceof EpochFinished finished && part != null) {
            part.setAllAttributes(attributes(finished));
            follow("epoch");
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
    public synchronized void end(AgentEvent last) {
        switch (last) {
            case AgentEvent.Failed failed ->
                    rank.setStatus(StatusCode.ERROR, failed.code() + ": " + failed.message());
            case AgentEvent.Interrupted interrupted ->
                    rank.addEvent(
                            "stands still",
                            Attributes.builder()
                                    .put("equipoise.missing", interrupted.missing().toString())
                                    .build());
            case AgentEvent.Preempted preempted ->
                    rank.addEvent(
                            "makes room",
                            Attributes.builder().put("equipoise.epoch", preempted.epoch()).build());
            default -> {}
        }
        rank.end();
    }
}
