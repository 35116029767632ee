package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which workers can take part in the same run. Two workers cannot if a probe of one by the
 * other failed, or if they do not see each other in the cluster although their time to join it has
 * passed. A worker that at least two probes have missed, and none has reached, counts as
 * unreachable for all. Pure.
 */
final class Reachability {

    /** Number of probers that must agree before a worker is unreachable for others as well. */
    private static final int WITNESSES = 2;

    private Reachability() {}

    /**
     * The reasons why some workers cannot take part in the same run; empty if they can.
     *
     * @param live the lab's workers, whose probes count as well
     */
    static List<ReachabilityFailure> failures(Collection<LabWorker> some, List<LabWorker> live) {
        List<ReachabilityFailure> failures = new ArrayList<>(failedProbes(some, live));
        failures.addAll(lastingGaps(some));
        return failures;
    }

    private static List<ReachabilityFailure> failedProbes(
            Collection<LabWorker> some, List<LabWorker> live) {
        if (live.stream().allMatch(worker -> failed(worker).findAny().isEmpty())) {
            return List.of();
        }
        Map<WorkerId, List<Probed>> byTarget =
                live.stream()
                        .flatMap(Reachability::probed)
                        .filter(it -> it.probe().at() != null)
                        .collect(Collectors.groupingBy(it -> it.probe().worker()));
        return some.stream()
                .flatMap(target ->
                        failures(target, byTarget.getOrDefault(target.id(), List.of()), some))
                .toList();
    }

    private static Stream<PeerProbe> failed(LabWorker worker) {
        return worker.probes().stream().filter(it -> it.failure() != null);
    }

    private static Stream<Probed> probed(LabWorker by) {
        return by.probes().stream().map(it -> new Probed(by, it));
    }

    /** A probe and the worker that performs it. */
    private record Probed(LabWorker by, PeerProbe probe) {

        boolean isFailure() {
            return probe.failure() != null;
        }

        ReachabilityFailure of(LabWorker target, WorkerId one) {
            return new ReachabilityFailure(
                    one,
                    target.id(),
                    "%s cannot be reached by %s at %s: %s"
                            .formatted(target.name(), by.name(), probe.address(), probe.failure()));
        }
    }

    /** The failures between a worker and others. Probes of a former address do not count. */
    private static Stream<ReachabilityFailure> failures(
            LabWorker target, List<Probed> all, Collection<LabWorker> others) {
        List<Probed> probes =
                all.stream()
                        .filter(it -> it.probe().address().equals(target.dataAddress()))
                        .toList();
        List<Probed> failed = probes.stream().filter(Probed::isFailure).toList();
        if (failed.isEmpty()) {
            return Stream.empty();
        }
        boolean isUnreachable = failed.size() >= WITNESSES && failed.size() == probes.size();
        Map<WorkerId, Probed> byProber =
                failed.stream().collect(Collectors.toMap(it -> it.by().id(), it -> it));
        return others.stream()
                .filter(other -> !other.id().equals(target.id()))
                .filter(other -> isUnreachable || byProber.containsKey(other.id()))
                .map(other ->
                        byProber.getOrDefault(other.id(), failed.getFirst())
                                .of(target, other.id()));
    }

    /** The pairs of which one does not see the other, though both had the time to join. */
    private static List<ReachabilityFailure> lastingGaps(Collection<LabWorker> some) {
        List<LabWorker> settled = some.stream().filter(Reachability::isSettled).toList();
        if (seeOneAnother(settled)) {
            return List.of();
        }
        return ClusterFormation.gaps(settled).stream()
                .map(gap ->
                        new ReachabilityFailure(
                                gap.worker().id(), gap.unseen().id(), described(gap)))
                .toList();
    }

    private static String described(UnreachablePeer gap) {
        return gap.worker().id().equals(gap.unseen().id())
                ? "%s is in no cluster".formatted(gap.worker().name())
                : "%s at %s in the cluster".formatted(gap, gap.unseen().clusterAddress());
    }

    private static boolean isSettled(LabWorker worker) {
        return worker.state() != WorkerState.JOINING && worker.formingUntil() == null;
    }

    /** Whether all have the same cluster view, which has all of them: the usual case, and fast. */
    private static boolean seeOneAnother(List<LabWorker> workers) {
        if (workers.isEmpty()) {
            return true;
        }
        Set<WorkerId> seen = workers.getFirst().sees();
        return workers.stream().allMatch(it -> it.sees().equals(seen) && seen.contains(it.id()));
    }

    /**
     * The workers that can take part in the same run, in the given order. Takes those with the
     * fewest failures first, so that one unreachable worker excludes no other (greedy independent
     * set).
     *
     * @param live the lab's workers, whose probes count as well
     */
    static List<LabWorker> group(List<LabWorker> some, List<LabWorker> live) {
        List<ReachabilityFailure> failures = failures(some, live);
        if (failures.isEmpty()) {
            return some;
        }
        Map<WorkerId, Set<WorkerId>> conflicts = new HashMap<>();
        failures.forEach(it -> {
            conflicts.computeIfAbsent(it.one(), _ -> new HashSet<>()).add(it.other());
            conflicts.computeIfAbsent(it.other(), _ -> new HashSet<>()).add(it.one());
        });
        Set<WorkerId> chosen = new HashSet<>();
        for (WorkerId next : fewestFirst(some, conflicts)) {
            Set<WorkerId> against = conflicts.getOrDefault(next, Set.of());
            if (!against.contains(next) && Collections.disjoint(against, chosen)) {
                chosen.add(next);
            }
        }
        return some.stream().filter(it -> chosen.contains(it.id())).toList();
    }

    private static List<WorkerId> fewestFirst(
            List<LabWorker> some, Map<WorkerId, Set<WorkerId>> conflicts) {
        return some.stream()
                .map(LabWorker::id)
                .sorted(Comparator.comparingInt(it -> conflicts.getOrDefault(it, Set.of()).size()))
                .toList();
    }
}
