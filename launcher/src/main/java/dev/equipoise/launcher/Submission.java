package dev.equipoise.launcher;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The runs of one command. The command submits and follows them; what it leaves open is cancelled,
 * maybe by another thread in the middle of it: what changes is guarded by the object's lock.
 */
final class Submission {

    private static final String PROJECT = "run";

    /** As many as a comparison takes. */
    private static final int MOST_RUNS = 100;

    private final Site site;
    private final PatientReader reader;
    private final List<SubmittedRun> runs = new ArrayList<>();
    private final Set<SubmittedRun> ended = new HashSet<>();
    private boolean closed;

    /** A run, and the experiment by which it is listed. */
    record SubmittedRun(String id, String experiment) {}

    Submission(Site site, PatientReader reader) {
        this.site = site;
        this.reader = reader;
        site.beforeClosing(this::cancelOpen);
    }

    /**
     * The configurations that the definitions stand for.
     *
     * @throws WrongInput with everything that is wrong in them
     */
    static List<JsonNode> check(ServiceApi api, List<ServiceApi.Document> definitions) {
        List<JsonNode> configurations =
                definitions.stream().flatMap(it -> resolved(api, it).stream()).toList();
        if (configurations.size() > MOST_RUNS) {
            throw new WrongInput(
                    "there would be %d runs, and at most %d can be compared"
                            .formatted(configurations.size(), MOST_RUNS));
        }
        return configurations;
    }

    private static List<JsonNode> resolved(ServiceApi api, ServiceApi.Document definition) {
        return ofDefinition(() -> api.post("experiments/validate", definition))
                .path("configurations")
                .valueStream()
                .toList();
    }

    /** What is wrong in a definition is the user's to change, whoever has found it. */
    private static JsonNode ofDefinition(Supplier<JsonNode> request) {
        try {
            return request.get();
        } catch (Refused refused) {
            if (refused.is("invalid-definition") || refused.is("malformed-body")) {
                throw new WrongInput(refused.reasons());
            }
            throw refused;
        }
    }

    /**
     * Submits all, and tells the ids of their runs in their order.
     *
     * @throws WrongInput where a run cannot be, such as one that repeats what was not recorded
     */
    List<String> submit(List<ServiceApi.Document> definitions) {
        String project = project();
        definitions.forEach(definition -> submit(project, definition));
        synchronized (this) {
            return runs.stream().map(SubmittedRun::id).toList();
        }
    }

    private synchronized void submit(String project, ServiceApi.Document definition) {
        if (closed) {
            throw new LabFailure("stopped");
        }
        String experiment =
                site.api()
                        .post("projects/%s/experiments".formatted(project), definition)
                        .path("id")
                        .asString();
        List<SubmittedRun> submitted =
                ofDefinition(() ->
                                site.api()
                                        .post(
                                                "experiments/%s/runs".formatted(experiment),
                                                Map.of()))
                        .path("items")
                        .valueStream()
                        .map(run -> new SubmittedRun(run.path("id").asString(), experiment))
                        .toList();
        runs.addAll(submitted);
        System.out.printf("runs of experiment %s: %d%n", experiment, submitted.size());
    }

    /** That of the token, or one of our own. */
    private String project() {
        JsonNode own = site.api().get("me").path("project");
        return own.isString()
                ? own.asString()
                : site.api().get("projects?limit=500").path("items").values().stream()
                        .filter(project -> project.path("name").asString().equals(PROJECT))
                        .findFirst()
                        .orElseGet(() -> site.api().post("projects", Map.of("name", PROJECT)))
                        .path("id")
                        .asString();
    }

    /**
     * Waits for the end of one run after the other.
     *
     * @param labels of the runs
     * @return how many are completed
     */
    long follow(List<String> labels, Progress progress) {
        List<SubmittedRun> followed;
        synchronized (this) {
            followed = List.copyOf(runs);
        }
        long completed = 0;
        for (int i = 0; i < followed.size(); i++) {
            SubmittedRun run = followed.get(i);
            boolean isReal = isReal(run);
            progress.untilDone(
                    labels.get(i),
                    () ->
                            isReal
                                    ? RunProgress.ofAny(look(run))
                                    : RunProgress.ofSimulated(look(run), Instant.now()));
            completed += RunProgress.isCompleted(look(run)) ? 1 : 0;
            synchronized (this) {
                ended.add(run);
            }
        }
        return completed;
    }

    /** Whether its clock is. */
    private boolean isReal(SubmittedRun run) {
        return reader.read(api -> api.get("runs/" + run.id()))
                .at("/configuration/execution/kind")
                .asString("real")
                .equals("real");
    }

    /** As lists tell of it: short, however many epochs there are. */
    private JsonNode look(SubmittedRun run) {
        return reader.read(api -> api.get("runs?limit=500&experiment=" + run.experiment()))
                .path("items")
                .valueStream()
                .filter(it -> it.path("id").asString().equals(run.id()))
                .findFirst()
                .orElseThrow(() -> new LabFailure("the run %s is gone".formatted(run.id())));
    }

    /** Follows no more; what is open goes on where the site does without us, and is named. */
    synchronized void leaveOpen() {
        if (closed || !site.outlivesCommand() || open().isEmpty()) {
            return;
        }
        closed = true;
        System.err.println("equipoise: these runs are left to go on at the service:");
        open().forEach(run ->
                System.err.printf(
                        "equipoise: run %s of experiment %s%n", run.id(), run.experiment()));
    }

    private synchronized List<SubmittedRun> open() {
        return runs.stream().filter(run -> !ended.contains(run)).toList();
    }

    private synchronized void cancelOpen() {
        List<SubmittedRun> open = open();
        if (closed || open.isEmpty()) {
            closed = true;
            return;
        }
        closed = true;
        try {
            long cancelled = open.stream().filter(this::cancel).count();
            System.err.printf(
                    "equipoise: cancelled %d of %d runs; the others had ended%n",
                    cancelled, runs.size());
        } catch (LabFailure failure) {
            System.err.println("equipoise: runs may stay open: " + failure.getMessage());
        }
    }

    /** Whether it was still open. */
    private boolean cancel(SubmittedRun run) {
        try {
            site.api().post("runs/%s/cancel".formatted(run.id()), Map.of());
            return true;
        } catch (Refused refused) {
            if (refused.is("illegal-state")) {
                return false;
            }
            throw refused;
        }
    }
}
