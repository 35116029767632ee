package dev.equipoise.app.measurement;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The API that requests, imports, lists, exports and cancels profiles. */
@Tag(name = "Profiles")
@RestController
@RequestMapping("/api/v1")
class ProfileController {

    private static final List<String> PRESETS =
            Arrays.stream(Preset.values()).map(Preset::label).sorted().toList();

    private static final int MAX_COMPANY = 63;
    private static final int MAX_LABEL_LENGTH = 300;

    private final Profiles profiles;

    ProfileController(Profiles profiles) {
        this.profiles = profiles;
    }

    /**
     * Page of profiles.
     *
     * @param items profiles of the page
     * @param next cursor of the next page; null for the last page
     */
    record ProfileList(List<ProfileView> items, @Nullable String next) {}

    /**
     * A profile request.
     *
     * @param network the preset whose training step is measured, together with GEMM
     * @param points mini-batch sizes; by default 8 sizes from 8 to 256
     * @param precision stopping rule of a point
     * @param company other co-located workers, which measure at the same time
     */
    record NewProfile(
            @NotBlank String network,
            @Nullable Points points,
            @Nullable Precision precision,
            @Nullable @Size(max = MAX_COMPANY) Set<@NotNull WorkerId> company) {

        ProfileRequest wanted(Architecture architecture) {
            return ProfileRequest.of(
                    architecture,
                    Objects.requireNonNullElse(points, ProfileRequest.BATCHES),
                    Objects.requireNonNullElse(precision, Precision.DEFAULT));
        }

        Set<WorkerId> withCompany(WorkerId worker) {
            return Stream.concat(
                            Stream.of(worker), company == null ? Stream.empty() : company.stream())
                    .collect(Collectors.toSet());
        }
    }

    /** Lists the profiles of a worker, newest first. */
    @GetMapping("/workers/{worker}/profiles")
    ProfileList listProfiles(
            @PathVariable UUID worker,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<ProfileView> page =
                profiles.of(WorkerId.of(worker), NewestFirstKey.after(cursor), limit);
        return new ProfileList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.requestedAt(), it.id()).cursor()));
    }

    /**
     * Requests a profile of a worker, or imports one that was measured earlier or elsewhere as CSV;
     * for administrators. The scheduler itself requests the profiles that runs need.
     */
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            required = true,
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = NewProfile.class)),
                @Content(mediaType = CurveFile.MEDIA_TYPE, schema = @Schema(type = "string"))
            })
    @ApiResponse(responseCode = "202", description = "The profile is requested")
    @ApiResponse(responseCode = "201", description = "The CSV is imported as a profile")
    @RetryOnConflict
    @PostMapping(path = "/workers/{worker}/profiles", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    ProfileView requestProfile(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID worker,
            @Valid @RequestBody NewProfile wanted) {
        WorkerId id = WorkerId.of(worker);
        return profiles.request(
                caller,
                id,
                wanted.withCompany(id),
                wanted.wanted(preset(wanted.network()).architecture()));
    }

    /** Imports points that were measured earlier or elsewhere. */
    @Hidden
    @PostMapping(path = "/workers/{worker}/profiles", consumes = CurveFile.MEDIA_TYPE)
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<ProfileView> importProfile(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID worker,
            @RequestBody String file) {
        ProfileView imported = profiles.read(caller, WorkerId.of(worker), file);
        return ResponseEntity.created(URI.create("/api/v1/profiles/" + imported.id()))
                .body(imported);
    }

    private static Preset preset(String name) {
        return Preset.named(name)
                .orElseThrow(() ->
                        Problem.of(
                                ErrorCode.INVALID_REQUEST,
                                List.of(
                                        new Violation(
                                                "/network", "must be one of " + PRESETS, name))));
    }

    /** Returns a profile with its points. */
    @GetMapping("/profiles/{id}")
    ProfileView getProfile(@PathVariable UUID id) {
        return profiles.find(id);
    }

    /**
     * Cancels all profiles of a session; for administrators. The scheduler requests another one for
     * runs that still need it.
     */
    @RetryOnConflict
    @PostMapping("/profiles/{id}/cancel")
    ProfileView cancelProfile(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return profiles.cancel(caller, id);
    }

    /**
     * Exports the points of one kernel as CSV, which spreadsheets and other labs can read.
     *
     * @param kernel {@code training-step} or {@code gemm}
     */
    @GetMapping(path = "/profiles/{id}/curve", produces = CurveFile.MEDIA_TYPE)
    String exportProfileCurve(
            @PathVariable UUID id,
            @RequestParam(defaultValue = "training-step") @Size(max = MAX_LABEL_LENGTH) String kernel) {
        return profiles.file(id, kernel).text();
    }
}
