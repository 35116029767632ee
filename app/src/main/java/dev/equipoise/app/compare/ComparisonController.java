package dev.equipoise.app.compare;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.run.RunSubject;
import dev.equipoise.app.run.RunSubjects;
import dev.equipoise.app.run.RunView;
import dev.equipoise.app.run.Runs;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API of comparisons of runs. */
@Tag(name = "Comparisons")
@RestController
@RequestMapping("/api/v1/comparisons")
class ComparisonController {

    private static final String CSV = "text/csv";

    /** Dotted path of a field. */
    private static final String FIELD = "[A-Za-z0-9-]{1,50}(\\.[A-Za-z0-9-]{1,50}){0,9}";

    private final Runs runs;
    private final RunSubjects subjects;

    ComparisonController(Runs runs, RunSubjects subjects) {
        this.runs = runs;
        this.subjects = subjects;
    }

    /**
     * Compares runs with the first one.
     *
     * @param runs ids of the runs, the baseline first
     * @param target test accuracy, from 0 to 1, to which times and bytes are counted
     * @param line dotted path of the field that the runs of a scaling line have in common, for
     *     example {@code topology.algorithm}
     * @param format {@code json}, {@code csv} or {@code markdown}
     */
    @ApiResponse(
            responseCode = "200",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = Comparison.class)),
                @Content(mediaType = CSV, schema = @Schema(type = "string")),
                @Content(
                        mediaType = MediaType.TEXT_MARKDOWN_VALUE,
                        schema = @Schema(type = "string"))
            })
    @GetMapping
    ResponseEntity<Object> compareRuns(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam @Size(min = 1, max = 100) List<@NotNull UUID> runs,
            @RequestParam(required = false) @DecimalMin("0") @DecimalMax("1") @Nullable Double target,
            @RequestParam(required = false) @Pattern(regexp = FIELD) @Nullable String line,
            @RequestParam(defaultValue = "json") @Pattern(regexp = "json|csv|markdown") String format) {
        RunView baseline = this.runs.find(caller, RunId.of(runs.getFirst()));
        Criterion criterion =
                new Criterion(
                        baseline.configuration().instrumentation().evaluation().compared(), target);
        RunSubjects.Reader reader = subjects.reader();
        List<Comparison.Subject> compared =
                Stream.concat(
                                Stream.of(baseline),
                                runs.stream()
                                        .distinct()
                                        .skip(1)
                                        .map(id -> this.runs.find(caller, RunId.of(id))))
                        .map(run -> subject(run, criterion, reader))
                        .toList();
        requireKnown(line, compared);
        return response(Comparison.of(compared, criterion, line), format);
    }

    /**
     * Lists the names of runs and the fields in which they differ, without figures. Runs that do
     * not exist, or that the caller may not see, are left out if another one is left.
     *
     * @param runs ids of the runs, the baseline first
     */
    @GetMapping("/subjects")
    ComparedSubjects listComparedSubjects(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam @Size(min = 1, max = 100) List<@NotNull UUID> runs) {
        List<RunSubject> found =
                subjects.find(caller, runs.stream().distinct().map(RunId::of).toList());
        if (found.isEmpty()) {
            throw Problem.notFound("run", RunId.of(runs.getFirst()));
        }
        return ComparedSubjects.of(found);
    }

    private static void requireKnown(@Nullable String line, List<Comparison.Subject> compared) {
        if (line != null
                && compared.stream().allMatch(it -> it.configuration().values().at(line) == null)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "?line",
                                    "must be the path of a field with a value in one of the runs,"
                                            + " such as topology.algorithm",
                                    line)));
        }
    }

    private static Comparison.Subject subject(
            RunView run, Criterion criterion, RunSubjects.Reader reader) {
        return new Comparison.Subject(
                ComparedRun.Summary.of(run, criterion),
                run.configuration().workers().replicas(),
                reader.read(run));
    }

    private static ResponseEntity<Object> response(Comparison comparison, String format) {
        return switch (format) {
            case "csv" -> text(CSV, ComparisonTable.csv(comparison));
            case "markdown" ->
                    text(MediaType.TEXT_MARKDOWN_VALUE, ComparisonTable.markdown(comparison));
            default -> ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(comparison);
        };
    }

    private static ResponseEntity<Object> text(String type, String body) {
        return ResponseEntity.ok()
                .contentType(new MediaType(MediaType.parseMediaType(type), StandardCharsets.UTF_8))
                .body(body);
    }
}
