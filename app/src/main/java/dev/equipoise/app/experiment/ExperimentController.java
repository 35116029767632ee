package dev.equipoise.app.experiment;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.NotesPatch;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.revision.Revision;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Serves experiments: validates, stores, returns, replaces, annotates and removes definitions. */
@Tag(name = "Experiments")
@RestController
@RequestMapping("/api/v1")
class ExperimentController {

    private final Experiments experiments;

    ExperimentController(Experiments experiments) {
        this.experiments = experiments;
    }

    /**
     * Page of experiments.
     *
     * @param items experiments of the page
     * @param next cursor of the next page; null for the last page
     */
    record ExperimentList(List<ExperimentSummary> items, @Nullable String next) {}

    /**
     * The run configurations of a definition.
     *
     * @param configurations one run configuration for each run, with every default written out
     */
    record ResolvedDefinition(List<RunConfiguration> configurations) {}

    /**
     * Change of an experiment, a JSON merge patch (RFC 7396).
     *
     * @param notes Markdown of at most 65,536 bytes in UTF-8; null deletes the notes
     */
    record ExperimentPatch(
            @Schema(
                            implementation = String.class,
                            types = {"string", "null"},
                            maxLength = NotesPatch.MAX_BYTES)
                    @Nullable NotesPatch notes) {}

    /**
     * Checks a definition and returns the run configurations that it stands for. It stores nothing.
     */
    @PostMapping(
            value = "/experiments/validate",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    ResolvedDefinition validateDefinition(
            @RequestBody @Schema(implementation = Object.class) JsonNode definition) {
        return new ResolvedDefinition(Definition.read(definition).configurations());
    }

    /**
     * Stores a definition as a new experiment of a project. Its runs are queued by another call.
     */
    @PostMapping(
            value = "/projects/{project}/experiments",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<StoredExperiment> createExperiment(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @RequestBody @Schema(implementation = Object.class) JsonNode definition) {
        StoredExperiment defined = experiments.define(caller, project, definition);
        return ResponseEntity.created(URI.create("/api/v1/experiments/" + defined.id()))
                .body(defined);
    }

    /** Lists the experiments of a project, newest first. */
    @GetMapping("/projects/{project}/experiments")
    ExperimentList listExperiments(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<ExperimentSummary> page =
                experiments.of(caller, project, NewestFirstKey.after(cursor), limit);
        return new ExperimentList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /**
     * Returns an experiment.
     *
     * @param version an earlier version; the latest if omitted
     */
    @GetMapping("/experiments/{id}")
    ResponseEntity<StoredExperiment> getExperiment(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Min(1) @Nullable Integer version) {
        return tagged(experiments.find(caller, id, version));
    }

    /** Stores another definition as the next version; existing runs stay unchanged. */
    @RetryOnConflict
    @PutMapping(
            value = "/experiments/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    ResponseEntity<StoredExperiment> replaceDefinition(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestBody @Schema(implementation = Object.class) JsonNode definition) {
        return tagged(experiments.redefine(caller, id, definition, ifMatch));
    }

    /**
     * Writes or deletes the notes of an experiment, by a JSON merge patch (RFC 7396). Notes belong
     * to all versions, and their change changes the ETag.
     */
    @RetryOnConflict
    @PatchMapping(
            path = "/experiments/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    ResponseEntity<StoredExperiment> updateExperiment(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @RequestBody ExperimentPatch patch) {
        return tagged(experiments.change(caller, id, patch.notes(), ifMatch));
    }

    /** Removes an experiment without runs, and all its versions. */
    @RetryOnConflict
    @DeleteMapping("/experiments/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteExperiment(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        experiments.remove(caller, id);
    }

    private static ResponseEntity<StoredExperiment> tagged(StoredExperiment experiment) {
        return ResponseEntity.ok().eTag(new Revision(experiment.revision()).tag()).body(experiment);
    }
}
