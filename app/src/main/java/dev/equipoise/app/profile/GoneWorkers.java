package dev.equipoise.app.profile;

import dev.equipoise.app.worker.WorkerGone;
import java.time.Clock;
import java.util.EnumSet;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Ends the profiles that their worker will never finish. */
@Component
class GoneWorkers {

    private final ProfileRepository profiles;
    private final Clock clock;

    GoneWorkers(ProfileRepository profiles, Clock clock) {
        this.profiles = profiles;
        this.clock = clock;
    }

    @EventListener
    @Transactional
    void on(WorkerGone gone) {
        profiles.findByWorkerIdAndStateIn(
                        gone.worker().value(),
                        EnumSet.of(ProfileState.PENDING, ProfileState.MEASURING))
                .forEach(profile ->
                        profile.fail(
                                "worker %s %s".formatted(gone.name(), gone.how()),
                                clock.instant()));
    }
}
