package dev.equipoise.app.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests bursts only: the time stands still. */
class RateLimitsTest {

    private static final RateSettings.Limit TWO = new RateSettings.Limit(2, 1);

    private final RateLimits limits =
            new RateLimits(
                    new RateSettings(
                            TWO,
                            new RateSettings.Limit(3, 1),
                            new RateSettings.SignInLimit(2, Duration.ofHours(1)),
                            new RateSettings.SignInNameLimit(3, Duration.ofHours(10))),
                    TestingTime.STANDING);

    private boolean isGiven(RateLimits.Kind kind, String who) {
        return limits.ask(kind, who).isGiven();
    }

    @Test
    void rejectionTellsTheTimeUntilTheNextPermit() {
        assertThat(limits.ask(RateLimits.Kind.SIGN_IN, "ann").left()).isEqualTo(1);
        assertThat(isGiven(RateLimits.Kind.SIGN_IN, "ann")).isTrue();

        RateLimits.Permit rejected = limits.ask(RateLimits.Kind.SIGN_IN, "ann");

        assertThat(rejected.isGiven()).isFalse();
        assertThat(rejected.waitSeconds()).isEqualTo(1800);
    }

    @Test
    void permitTellsItsPolicy() {
        RateLimits.Permit attempt = limits.ask(RateLimits.Kind.SIGN_IN_NAME, "ann");
        RateLimits.Permit request = limits.ask(RateLimits.Kind.AGENT, "worker");

        assertThat(attempt.policy().header()).isEqualTo("\"sign_in_name\";q=3;w=36000");
        assertThat(attempt.left()).isEqualTo(2);
        assertThat(attempt.reset()).isEqualTo(Duration.ofHours(10).dividedBy(3));
        assertThat(request.policy())
                .isEqualTo(new RateLimits.Policy("agent", 3, Duration.ofSeconds(3)));
    }

    @Test
    void callersHaveSeparatePermits() {
        assertThat(isGiven(RateLimits.Kind.USER, "ann")).isTrue();
        assertThat(isGiven(RateLimits.Kind.USER, "ann")).isTrue();
        assertThat(isGiven(RateLimits.Kind.USER, "bob")).isTrue();
        assertThat(isGiven(RateLimits.Kind.AGENT, "ann")).isTrue();
    }

    @Test
    void nameHasAttemptsOfItsOwn() {
        for (String name : List.of("Ann", "ann", "ANN")) {
            limits.attemptSignInAs(name);
        }
        limits.attemptSignInAs("bob");
        limits.attemptSignIn("ann");

        assertThatThrownBy(() -> limits.attemptSignInAs("ann"))
                .isInstanceOfSatisfying(
                        Problem.class,
                        it -> assertThat(it.retryAfter()).isBetween(11_900L, 12_000L));
    }

    @Test
    void signInAttemptsIgnoreTheCaseOfTheName() {
        limits.attemptSignIn("name Ann");
        limits.attemptSignIn("name ann");

        assertThatThrownBy(() -> limits.attemptSignIn("name ANN"))
                .hasMessageContaining("Too many attempts to sign in")
                .isInstanceOfSatisfying(
                        Problem.class, it -> assertThat(it.retryAfter()).isBetween(1790L, 1800L));
    }
}
