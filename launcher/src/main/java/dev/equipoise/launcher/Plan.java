package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Predicts what runs would take, and what would be faster. */
@Command(
        name = "plan",
        description = {
            "Predicts how long the runs of a definition or of a preset would take, ranks other ways"
                    + " of training beside them and says why, without running any of them.",
            "Without a service it starts one on this machine and stops it at the end; then the"
                    + " workers are those of --workers, or as many of this machine as the runs ask"
                    + " for, which are profiled first."
        },
        mixinStandardHelpOptions = true)
final class Plan implements Callable<Integer> {

    private static final Pattern TARGET =
            Pattern.compile("(?:accuracy=)?(0(?:\\.\\d+)?|1(?:\\.0+)?)");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final YAMLMapper YAML = YAMLMapper.builder().build();
    private static final Set<String> OF_LAB = Set.of("workers", "link");

    @Mixin private final LabOptions options = new LabOptions();

    @Mixin private final SourceOptions sourceOptions = new SourceOptions();

    @Option(
            names = "--workers",
            paramLabel = "FILE",
            description =
                    "workers to imagine, in YAML or JSON: workers: [{name: a, samplesPerSecond:"
                            + " 1000}, ...] and link: {latencyMicroseconds: 50, megabytesPerSecond:"
                            + " 100}")
    private @Nullable Path workers;

    @Option(
            names = "--target",
            paramLabel = "A",
            description = "rank by the time until this test accuracy, where earlier runs tell")
    private @Nullable String target;

    @Option(names = "--json", paramLabel = "FILE", description = "write the plans as JSON")
    private @Nullable Path json;

    @Mixin private final SiteOptions siteOptions = new SiteOptions();

    @Override
    public Integer call() {
        options.check();
        OutputFile.check("--json", json);
        ObjectNode request = JSON.createObjectNode();
        if (target != null) {
            request.put("target", accuracy(target));
        }
        if (workers != null) {
            request.setAll(lab(workers));
        }
        Source source = sourceOptions.source();
        Optional<ServiceApi.Document> file = source.fromFile();
        Progress progress = Progress.onStandardOutput();
        ArrayNode plans = JSON.createArrayNode();
        try (Site site = site(progress)) {
            List<ServiceApi.Document> definitions =
                    file.map(List::of).orElseGet(() -> source.fromPreset(site.api()));
            List<JsonNode> configurations = Submission.check(site.api(), definitions);
            List<JsonNode> measured = LocalSite.dependentOnWorkers(configurations);
            if (workers == null && !site.outlivesCommand() && !measured.isEmpty()) {
                site.prepare(measured);
                site.profile(measured);
            }
            definitions.forEach(it -> plans.add(plan(site.api(), request, it)));
        }
        plans.forEach(plan -> System.out.printf("%n%s", PlanReport.of(plan)));
        if (json != null) {
            new OutputFile(json).writeJson(plans);
        }
        if (plans.valueStream().allMatch(plan -> plan.path("ranking").isEmpty())) {
            throw new LabFailure("nothing can be predicted");
        }
        return 0;
    }

    private Site site(Progress progress) {
        return siteOptions.named().orElseGet(() -> LocalSite.start(options, progress));
    }

    private static JsonNode plan(
            ServiceApi api, ObjectNode request, ServiceApi.Document definition) {
        ObjectNode body = request.deepCopy();
        body.set("definition", YAML.readTree(definition.text()));
        try {
            return api.post("plans", body);
        } catch (Refused refused) {
            if (refused.is("invalid-definition") || refused.is("invalid-request")) {
                throw new WrongInput(refused.reasons());
            }
            throw refused;
        }
    }

    /** The workers, and what is between them. */
    private static ObjectNode lab(Path file) {
        try {
            if (YAML.readTree(Files.readString(file)) instanceof ObjectNode lab
                    && lab.has("workers")
                    && OF_LAB.containsAll(lab.propertyNames())) {
                return lab;
            }
            throw new WrongInput(
                    "%s must have workers and may have a link, and nothing else".formatted(file));
        } catch (IOException unreadable) {
            throw new WrongInput(
                    "%s cannot be read: %s".formatted(file, LabFailure.reason(unreadable)));
        } catch (JacksonException malformed) {
            throw new WrongInput(
                    "%s is neither YAML nor JSON: %s"
                            .formatted(file, malformed.getOriginalMessage()));
        }
    }

    private static double accuracy(String target) {
        Matcher matcher = TARGET.matcher(target);
        if (!matcher.matches()) {
            throw new WrongInput("--target must be a number from 0 to 1, but was " + target);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
