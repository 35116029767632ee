package dev.equipoise.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Predicts the time of runs and ranks alternatives, without running them. */
@Command(
        name = "plan",
        description = {
            "Predicts the time of the runs of a definition or of a preset, ranks alternatives and"
                    + " explains the ranking, without running any of them.",
            "Without a service it starts one on this machine and stops it at the end. Its workers"
                    + " are those of --workers, or as many on this machine as the runs need, which"
                    + " it profiles first."
        },
        mixinStandardHelpOptions = true)
public final class Plan implements Callable<Integer> {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();
    private static final Set<String> LAB_FIELDS = Set.of("workers", "link");

    @Mixin private final LabOptions options = new LabOptions();

    @Mixin private final SourceOptions sourceOptions = new SourceOptions();

    @Option(
            names = "--workers",
            paramLabel = "FILE",
            description =
                    "hypothetical workers, in YAML or JSON: workers: [{name: a, samplesPerSecond:"
                            + " 1000}, ...] and link: {latencyMicroseconds: 50, megabytesPerSecond:"
                            + " 100}")
    private @Nullable Path workers;

    @Option(
            names = "--target",
            paramLabel = "A",
            description =
                    "rank by the time to this test accuracy, such as 0.9 or 90%%, if earlier runs"
                            + " reached it")
    private @Nullable String target;

    @Option(names = "--json", paramLabel = "FILE", description = "write the plans as JSON")
    private @Nullable Path json;

    @Mixin private final SiteOptions siteOptions = new SiteOptions();

    @Override
    public Integer call() {
        options.check();
        OutputFile.check("--json", json);
        ArrayNode plans = plans(request());
        plans.forEach(plan -> System.out.printf("%n%s", PlanReport.of(plan)));
        if (json != null) {
            new OutputFile(json).writeJson(plans);
        }
        if (plans.valueStream().allMatch(plan -> plan.path("ranking").isEmpty())) {
            throw new LabFailure(
                    "no configuration can be predicted; the lines 'Excluded' tell why");
        }
        return 0;
    }

    /** Returns the request without its definition. */
    private ObjectNode request() {
        ObjectNode request = JSON.createObjectNode();
        if (target != null) {
            request.put("target", TargetAccuracy.of(target));
        }
        if (workers != null) {
            request.setAll(lab(workers));
        }
        return request;
    }

    private ArrayNode plans(ObjectNode request) {
        Source source = sourceOptions.source();
        Optional<ServiceApi.Document> file = source.fromFile();
        ArrayNode plans = JSON.createArrayNode();
        try (Site site = site(Progress.onStandardOutput())) {
            List<ServiceApi.Document> definitions =
                    file.map(List::of).orElseGet(() -> source.fromPreset(site.api()));
            prepare(site, Submission.check(site.api(), definitions));
            definitions.forEach(it -> plans.add(plan(site.api(), request, it)));
        }
        return plans;
    }

    /** Starts and profiles the workers that predictions need, if the site is this command's own. */
    private void prepare(Site site, List<JsonNode> configurations) {
        List<JsonNode> measured = LocalSite.dependentOnWorkers(configurations);
        if (workers == null && !site.outlivesCommand() && !measured.isEmpty()) {
            site.prepare(measured);
            site.profile(measured);
        }
    }

    private Site site(Progress progress) {
        return siteOptions.named(null).orElseGet(() -> LocalSite.start(options, progress));
    }

    private static JsonNode plan(
            ServiceApi api, ObjectNode request, ServiceApi.Document definition) {
        ObjectNode body = request.deepCopy();
        body.set("definition", YAML.readTree(definition.text()));
        try {
            return api.post("plans", body);
        } catch (RequestRejected rejected) {
            if (rejected.is("invalid-definition") || rejected.is("invalid-request")) {
                throw new UsageError(rejected.reasons());
            }
            throw rejected;
        }
    }

    /** Reads the workers, and optionally the link between them, from a file. */
    private static ObjectNode lab(Path file) {
        if (new UserFile(file).read().tree() instanceof ObjectNode lab
                && lab.has("workers")
                && LAB_FIELDS.containsAll(lab.propertyNames())) {
            return lab;
        }
        throw new UsageError(
                "%s must have the field workers, may have the field link, and no other"
                        .formatted(file));
    }
}
