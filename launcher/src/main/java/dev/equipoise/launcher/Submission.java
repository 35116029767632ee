package dev.equipoise.launcher;

import dev.equipoise.launcher.interrupt.OpenRuns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The runs of one command. The command submits and follows them. Closing the site leaves or cancels
 * those that are open, perhaps from another thread at the same time, so the object's lock guards
 * all mutable state.
 */
public final class Submission implements OpenRuns {

    /** Limit of a comparison. */
    private static final int MAX_RUNS = 100;

    private final Site site;
    private final RetryingReader reader;
    private final List<SubmittedRun> runs = new ArrayList<>();
    private final Set<SubmittedRun> ended = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private boolean closed;

    /** A run, and the experiment whose list contains it. */
    record SubmittedRun(String id, String experiment) {}

    Submission(Site site, RetryingReader reader) {
        this.site = site;
        this.reader = reader;
        site.atEnd(this);
    }

    /**
     * Returns the run configurations to which the definitions expand.
     *
     * @throws UsageError with all errors in the definitions
     */
    public static List<JsonNode> check(ServiceApi api, List<ServiceApi.Document> definitions) {
        List<JsonNode> configurations =
                definitions.stream().flatMap(it -> resolved(api, it).stream()).toList();
        if (configurations.size() > MAX_RUNS) {
            throw new UsageError(
                    "the definitions expand to %d runs, and a comparison takes at most %d"
                            .formatted(configurations.size(), MAX_RUNS));
        }
        return configurations;
    }

    private static List<JsonNode> resolved(ServiceApi api, ServiceApi.Document definition) {
        return ofDefinition(() -> api.post("experiments/validate", definition))
                .path("configurations")
                .valueStream()
                .toList();
    }

    /**
     * Sends a request and turns a rejection of the definition into a usage error.
     *
     * @throws UsageError with all errors in the definition
     */
    public static JsonNode ofDefinition(Supplier<JsonNode> request) {
        try {
            return request.get();
        } catch (RequestRejected rejected) {
            if (rejected.is("invalid-definition") || rejected.is("malformed-body")) {
                throw new UsageError(rejected.reasons());
            }
            throw rejected;
        }
    }

    /**
     * Submits all definitions and returns the ids of their runs, in order. If the service rejects
     * one, the runs of those before it are canceled.
     *
     * @throws UsageError if a run is impossible, such as a replay of a run that was not recorded
     */
    List<String> submit(List<ServiceApi.Document> definitions) {
        String project = site.project();
        try {
            definitions.forEach(definition -> submit(project, definition));
        } catch (UsageError | RequestRejected rejected) {
            cancel();
            throw rejected;
        }
        return submitted().stream().map(SubmittedRun::id).toList();
    }

    private synchronized List<SubmittedRun> submitted() {
        return List.copyOf(runs);
    }

    private synchronized void submit(String project, ServiceApi.Document definition) {
        if (closed) {
            throw new LabFailure("the command is stopped");
        }
        String experiment =
                site.api()
                        .post("projects/%s/experiments".formatted(project), definition)
                        .path("id")
                        .asString();
        List<SubmittedRun> submitted = start(experiment);
        runs.addAll(submitted);
        System.err.printf("runs of experiment %s: %d%n", experiment, submitted.size());
    }

    private List<SubmittedRun> start(String experiment) {
        String path = "experiments/%s/runs".formatted(experiment);
        return ofDefinition(() -> site.api().post(path, Map.of()))
                .path("items")
                .valueStream()
                .map(run -> new SubmittedRun(run.path("id").asString(), experiment))
                .toList();
    }

    /**
     * Waits for the end of one run after the other.
     *
     * @param labels labels of the runs
     * @return the number of completed runs
     */
    long follow(List<String> labels, Progress progress) {
        List<SubmittedRun> followed = submitted();
        long completed = 0;
        for (int i = 0; i < followed.size(); i++) {
            completed += follow(followed.get(i), labels.get(i), progress) ? 1 : 0;
        }
        return completed;
    }

    /** Waits for the end of a run and returns whether it completed. */
    private boolean follow(SubmittedRun run, String label, Progress progress) {
        boolean isReal = isReal(run);
        progress.untilDone(
                label,
                () ->
                        isReal
                                ? RunProgress.ofAny(listed(run))
                                : RunProgress.ofSimulated(listed(run), Instant.now()));
        JsonNode last = listed(run);
        boolean isCompleted = RunProgress.isCompleted(last);
        synchronized (this) {
            ended.add(run);
            if (!isCompleted) {
                failures.add("%s (run %s) %s".formatted(label, run.id(), RunProgress.end(last)));
            }
        }
        return isCompleted;
    }

    /** Returns a sentence for each followed run that did not complete, with the reason. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Returns whether the run uses the real clock. */
    private boolean isReal(SubmittedRun run) {
        return reader.read(api -> api.get("runs/" + run.id()))
                .at("/configuration/execution/kind")
                .asString("real")
                .equals("real");
    }

    /** Returns the run as lists describe it: short, however many epochs it has. */
    private JsonNode listed(SubmittedRun run) {
        return reader.read(api -> api.get("runs?limit=500&experiment=" + run.experiment()))
                .path("items")
                .valueStream()
                .filter(it -> it.path("id").asString().equals(run.id()))
                .findFirst()
                .orElseThrow(() -> new LabFailure("run %s no longer exists".formatted(run.id())));
    }

    @Override
    public synchronized int count() {
        return closed ? 0 : open().size();
    }

    /** Names the open runs, which continue, and the command that follows them. */
    @Override
    public synchronized void leave() {
        if (!closed) {
            name(open());
        }
        closed = true;
    }

    private static void name(List<SubmittedRun> open) {
        if (open.isEmpty()) {
            return;
        }
        List<String> ids = open.stream().map(SubmittedRun::id).toList();
        System.err.println("equipoise: these runs continue at the service:");
        ids.forEach(run -> System.err.println("equipoise: run " + run));
        System.err.println(
                "equipoise: to follow them: ./equipoise runs watch " + String.join(" ", ids));
    }

    /** Stops following the runs. If the site outlives the command, open runs are left. */
    void leaveOpen() {
        if (site.outlivesCommand()) {
            leave();
        }
    }

    private synchronized List<SubmittedRun> open() {
        return runs.stream().filter(run -> !ended.contains(run)).toList();
    }

    @Override
    public synchronized void cancel() {
        List<SubmittedRun> open = closed ? List.of() : open();
        closed = true;
        if (!open.isEmpty()) {
            cancel(open);
        }
    }

    /** Cancels each run, also if the service refuses to cancel another one; names those left. */
    private void cancel(List<SubmittedRun> open) {
        List<SubmittedRun> left = new ArrayList<>();
        long canceled = 0;
        boolean isSilent = false;
        for (SubmittedRun run : open) {
            if (isSilent) {
                left.add(run);
                continue;
            }
            try {
                canceled += cancel(run) ? 1 : 0;
            } catch (LabFailure failure) {
                System.err.printf(
                        "equipoise: cannot cancel run %s: %s%n", run.id(), failure.getMessage());
                left.add(run);
                isSilent = isSilent(failure);
            }
        }
        System.err.printf("equipoise: canceled %d %s%n", canceled, canceled == 1 ? "run" : "runs");
        if (site.outlivesCommand()) {
            name(left);
        }
    }

    /** Returns whether the service did not answer: further requests would time out, one by one. */
    private static boolean isSilent(LabFailure failure) {
        return !(failure instanceof RequestRejected)
                && !(failure.getCause() instanceof RequestRejected);
    }

    /** Returns whether the run was still open. */
    private boolean cancel(SubmittedRun run) {
        try {
            site.api().post("runs/%s/cancel".formatted(run.id()), Map.of());
            return true;
        } catch (RequestRejected rejected) {
            if (rejected.is("illegal-state") || rejected.is("not-found")) {
                return false;
            }
            throw rejected;
        }
    }
}
