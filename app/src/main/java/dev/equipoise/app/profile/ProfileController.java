package dev.equipoise.app.profile;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.network.Preset;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
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

    private final Profiles profiles;

    ProfileController(Profiles profiles) {
        this.profiles = profiles;
    }

    record ProfileList(List<ProfileView> items) {}

    /** The preset whose training step is measured; GEMM is measured beside it. */
    record NewProfile(@NotBlank String network) {}

    @GetMapping("/workers/{worker}/profiles")
    ProfileList list(
            @PathVariable UUID worker,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return new ProfileList(profiles.of(WorkerId.of(worker), limit));
    }

    /** For administrators: runs ask for the profiles that they need of themselves. */
    @PostMapping("/workers/{worker}/profiles")
    @ResponseStatus(HttpStatus.ACCEPTED)
    ProfileView request(@PathVariable UUID worker, @Valid @RequestBody NewProfile wanted) {
        return profiles.request(WorkerId.of(worker), preset(wanted.network()).architecture());
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
}
