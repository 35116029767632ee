package dev.equipoise.app.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The refill is too slow to be seen in a test: what is counted is the burst. */
class RateLimitsTest {

    private static final RateSettings.Limit TWO = new RateSettings.Limit(2, 1);

    private final RateLimits limits =
            new RateLimits(
                    new RateSettings(
                            TWO,
                            new RateSettings.Limit(3, 1),
                            new RateSettings.SignInLimit(2, Duration.ofHours(1))));

    private boolean isGiven(RateLimits.Kind kind, String who) {
        return limits.ask(kind, who).isGiven();
    }

    @Test
    void whoHasTakenAllPermitsIsToldWhenThereIsAnother() {
        assertThat(limits.ask(RateLimits.Kind.SIGN_IN, "ann").left()).isEqualTo(1);
        assertThat(isGiven(RateLimits.Kind.SIGN_IN, "ann")).isTrue();

        RateLimits.Permit refused = limits.ask(RateLimits.Kind.SIGN_IN, "ann");

        assertThat(refused.isGiven()).isFalse();
        assertThat(refused.waitSeconds()).isBetween(1790L, 1800L);
    }

    @Test
    void nobodyTakesAnothersPermits() {
        assertThat(isGiven(RateLimits.Kind.USER, "ann")).isTrue();
        assertThat(isGiven(RateLimits.Kind.USER, "ann")).isTrue();
        assertThat(isGiven(RateLimits.Kind.USER, "bob")).isTrue();
        assertThat(isGiven(RateLimits.Kind.AGENT, "ann")).isTrue();
    }

    @Test
    void attemptsForANameAreCountedInWhateverCase() {
        limits.attemptSignIn("name Ann");
        limits.attemptSignIn("name ann");

        assertThatThrownBy(() -> limits.attemptSignIn("name ANN"))
                .hasMessageContaining("too many attempts to sign in")
                .isInstanceOfSatisfying(
                        Problem.class, it -> assertThat(it.retryAfter()).isBetween(1790L, 1800L));
    }
}
