package dev.equipoise.app.rate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How often may be asked, of one instance of the service.
 *
 * @param user a person, with all their tokens, or a token that stands for itself
 * @param agent one worker
 * @param signIn attempts for one name, and from one address
 */
@ConfigurationProperties("equipoise.rate")
record RateSettings(
        @DefaultValue Limit user, @DefaultValue Limit agent, @DefaultValue SignInLimit signIn) {

    /**
     * Requests.
     *
     * @param burst at once, after a rest
     * @param perSecond in the long run
     */
    record Limit(@DefaultValue("300") long burst, @DefaultValue("100") long perSecond) {}

    /**
     * Attempts.
     *
     * @param attempts at once, and as many again in each period
     */
    record SignInLimit(@DefaultValue("10") long attempts, @DefaultValue("1m") Duration period) {}
}
