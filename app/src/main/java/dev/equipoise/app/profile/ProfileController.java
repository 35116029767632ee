package dev.equipoise.app.profile;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.Newest;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RepeatedWhenOutrun;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Preset;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
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
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Profiles: ask for one, read them. */
@RestController
@RequestMapping("/api/v1")
class ProfileController {

    private static final List<String> PRESETS =
            Arrays.stream(Preset.values()).map(Preset::label).sorted().toList();

    private static final int MOST_COMPANIONS = 63;
    private static final int MOST_LABEL = 300;

    private final Profiles profiles;

    ProfileController(Profiles profiles) {
        this.profiles = profiles;
    }

    record ProfileList(List<ProfileView> items, @Nullable String next) {}

    /**
     * What is to be measured.
     *
     * @param network the preset whose training step is measured; GEMM is measured beside it
     * @param points at which mini-batches; 8 from 8 to 256 unless told
     * @param precision when a point is known well enough
     * @param company other workers of the same machine, which measure at the same time
     */
    record NewProfile(
            @NotBlank String network,
            @Nullable Points points,
            @Nullable Precision precision,
            @Nullable @Size(max = MOST_COMPANIONS) Set<@NotNull WorkerId> company) {

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

    @GetMapping("/workers/{worker}/profiles")
    ProfileList list(
            @PathVariable UUID worker,
            @RequestParam(required = false) @Size(max = Cursor.LONGEST) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<ProfileView> page = profiles.of(WorkerId.of(worker), Newest.after(cursor), limit);
        return new ProfileList(
                page,
                Cursor.next(page, limit, it -> new Newest(it.requestedAt(), it.id()).cursor()));
    }

    /** For administrators: runs ask for the profiles that they need of themselves. */
    @RepeatedWhenOutrun
    @PostMapping(path = "/workers/{worker}/profiles", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    ProfileView request(
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

    /**
     * For administrators, too: points that were measured before, or elsewhere, as they are read.
     */
    @PostMapping(path = "/workers/{worker}/profiles", consumes = CurveFile.MEDIA_TYPE)
    @ResponseStatus(HttpStatus.CREATED)
    ProfileView read(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID worker,
            @RequestBody String file) {
        return profiles.read(caller, WorkerId.of(worker), file);
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

    @GetMapping("/profiles/{id}")
    ProfileView profile(@PathVariable UUID id) {
        return profiles.find(id);
    }

    /**
     * For administrators, too: ends the measurement of all workers that take part in it. Runs that
     * still need it ask for another.
     */
    @RepeatedWhenOutrun
    @PostMapping("/profiles/{id}/cancel")
    ProfileView cancel(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return profiles.cancel(caller, id);
    }

    /**
     * The points of one kernel, to be read again, by a spreadsheet or by another lab.
     *
     * @param kernel {@code training-step} or {@code gemm}
     */
    @GetMapping(path = "/profiles/{id}/curve", produces = CurveFile.MEDIA_TYPE)
    String curve(
            @PathVariable UUID id,
            @RequestParam(defaultValue = "training-step") @Size(max = MOST_LABEL) String kernel) {
        return profiles.file(id, kernel).text();
    }
}
