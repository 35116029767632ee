package dev.equipoise.app.worker;

import dev.equipoise.app.time.Deadline;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The probes of one worker. It probes a few peers: its neighbors on the ring of all worker ids,
 * which are random, so that they are on many hosts and each worker is probed by as many as it
 * probes. In a lab of up to nine workers, all probe all. Immutable.
 *
 * <p>Only the data addresses of live workers are probed, and results of other addresses are
 * ignored, so that no agent can make others try an address that no worker has.
 */
record PeerProbes(List<PeerProbe> peers) {

    static final PeerProbes NONE = new PeerProbes(List.of());

    /** Neighbors on each side of the ring. */
    private static final int SIDE = Heartbeat.MAX_PROBES / 2;

    /** Pause after a first failure; it doubles with each failure in a row. */
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

    /** Longest pause after a failure, so that a repaired network is soon found. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final int MAX_DOUBLINGS = 10;

    /** Pause after a success: networks change. */
    private static final Duration SUCCESS_PAUSE = Duration.ofMinutes(10);

    /** Time for an answer, longer than a handshake and a few heartbeats. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    PeerProbes {
        peers = List.copyOf(peers);
    }

    /** Returns the neighbors of a worker among the live workers that have a data address. */
    static List<LabWorker> neighbors(LabWorker worker, List<LabWorker> live) {
        List<LabWorker> ring =
                live.stream()
                        .filter(it -> it.dataAddress() != null && !it.id().equals(worker.id()))
                        .sorted(Comparator.comparing(it -> it.id().value()))
                        .toList();
        if (ring.size() <= 2 * SIDE) {
            return ring;
        }
        int place =
                (int)
                        ring.stream()
                                .filter(it -> it.id().value().compareTo(worker.id().value()) < 0)
                                .count();
        return IntStream.range(place - SIDE, place + SIDE)
                .mapToObj(index -> ring.get(Math.floorMod(index, ring.size())))
                .toList();
    }

    /** Returns the probes with new results. A result for another address is outdated. */
    PeerProbes with(List<ProbeResult> results, Instant now) {
        return new PeerProbes(
                peers.stream()
                        .map(peer ->
                                results.stream()
                                        .filter(it -> it.worker().equals(peer.worker()))
                                        .filter(it -> it.address().equals(peer.address()))
                                        .findFirst()
                                        .map(it -> answered(peer, it, now))
                                        .orElse(peer))
                        .toList());
    }

    private static PeerProbe answered(PeerProbe peer, ProbeResult result, Instant now) {
        int failures = result.failure() == null ? 0 : peer.failures() + 1;
        return new PeerProbe(
                peer.worker(),
                peer.address(),
                result.failure(),
                now,
                failures,
                now.plus(pause(failures)));
    }

    private static Duration pause(int failures) {
        if (failures == 0) {
            return SUCCESS_PAUSE;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /**
     * Returns the probes of these workers: a new worker or address is probed at once. Probes of
     * other workers that had a request lately stay, since a worker must not evade the pause by
     * leaving and returning with another address.
     */
    PeerProbes towards(List<LabWorker> neighbors, Instant now) {
        Set<WorkerId> wanted =
                neighbors.stream()
                        .filter(it -> it.dataAddress() != null)
                        .map(LabWorker::id)
                        .collect(Collectors.toSet());
        return new PeerProbes(
                Stream.concat(
                                neighbors.stream().flatMap(it -> towards(it, now).stream()),
                                peers.stream()
                                        .filter(it -> !wanted.contains(it.worker()))
                                        .filter(it -> Deadline.isAhead(pauseEnd(it), ANSWER, now)))
                        .toList());
    }

    private Optional<PeerProbe> towards(LabWorker neighbor, Instant now) {
        Optional<PeerProbe> known =
                peers.stream().filter(it -> it.worker().equals(neighbor.id())).findFirst();
        return Optional.ofNullable(neighbor.dataAddress())
                .map(address ->
                        known.filter(it -> it.address().equals(address))
                                .orElseGet(() ->
                                        new PeerProbe(
                                                neighbor.id(),
                                                address,
                                                null,
                                                null,
                                                0,
                                                notBefore(known, now))));
    }

    /** An agent that changes its address all the time must not make its peers scan ports. */
    private static Instant notBefore(Optional<PeerProbe> before, Instant now) {
        return before.map(PeerProbes::pauseEnd)
                .filter(it -> Deadline.isAhead(it, ANSWER, now))
                .orElse(now);
    }

    private static Instant pauseEnd(PeerProbe probe) {
        Instant at = probe.at();
        return at == null ? probe.next() : at.plus(FIRST_PAUSE);
    }

    /** Returns the requests that are due. */
    List<ProbeRequest> due(Instant now) {
        return peers.stream()
                .filter(it -> !Deadline.isAhead(it.next(), SUCCESS_PAUSE, now))
                .map(it -> new ProbeRequest(it.worker(), it.address()))
                .toList();
    }

    /** Returns the probes after the due requests were made: they are repeated without an answer. */
    PeerProbes asked(Instant now) {
        return new PeerProbes(
                peers.stream()
                        .map(it ->
                                Deadline.isAhead(it.next(), SUCCESS_PAUSE, now)
                                        ? it
                                        : new PeerProbe(
                                                it.worker(),
                                                it.address(),
                                                it.failure(),
                                                it.at(),
                                                it.failures(),
                                                now.plus(ANSWER)))
                        .toList());
    }
}
