package dev.equipoise.app.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.problem.TestingProblems;
import java.security.Principal;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

class RateLimitFilterTest {

    private final RateLimitFilter filter =
            new RateLimitFilter(
                    new RateLimits(
                            new RateSettings(
                                    new RateSettings.Limit(1, 1),
                                    new RateSettings.Limit(2, 1),
                                    new RateSettings.SignInLimit(1, Duration.ofHours(1)),
                                    new RateSettings.SignInNameLimit(1, Duration.ofHours(1))),
                            TestingTime.STANDING),
                    TestingProblems.writer());

    @AfterEach
    void forget() {
        SecurityContextHolder.clearContext();
    }

    /** A caller whose name other callers may share. */
    private record TestingCaller(String name, String countedAs)
            implements Principal, RateLimitSubject {

        @Override
        public String getName() {
            return name;
        }
    }

    private MockHttpServletResponse ask(String name, String role) throws Exception {
        return ask(new TestingCaller(name, name), role);
    }

    private MockHttpServletResponse ask(TestingCaller caller, String role) throws Exception {
        SecurityContextHolder.getContext()
                .setAuthentication(
                        UsernamePasswordAuthenticationToken.authenticated(
                                caller, "token", AuthorityUtils.createAuthorityList(role)));
        var response = new MockHttpServletResponse();
        filter.doFilter(
                new MockHttpServletRequest("GET", "/api/v1/runs"), response, new MockFilterChain());
        return response;
    }

    @Test
    void callerOverTheLimitGets429WithRetryAfter() throws Exception {
        assertThat(ask("ann", "ROLE_USER").getStatus()).isEqualTo(200);

        MockHttpServletResponse rejected = ask("ann", "ROLE_USER");

        assertThat(rejected.getStatus()).isEqualTo(429);
        assertThat(rejected.getContentType()).isEqualTo("application/problem+json");
        assertThat(rejected.getContentAsString()).contains("\"rate-limited\"");
        assertThat(rejected.getHeader("Retry-After")).isEqualTo("1");
    }

    /** The headers are those of draft-ietf-httpapi-ratelimit-headers-10. */
    @Test
    void answersTellTheLimit() throws Exception {
        MockHttpServletResponse given = ask("worker", "ROLE_AGENT");
        ask("worker", "ROLE_AGENT");
        MockHttpServletResponse rejected = ask("worker", "ROLE_AGENT");

        assertThat(given.getHeader("RateLimit-Policy")).isEqualTo("\"agent\";q=2;w=2");
        assertThat(given.getHeader("RateLimit")).isEqualTo("\"agent\";r=1;t=1");
        assertThat(rejected.getHeader("RateLimit-Policy")).isEqualTo("\"agent\";q=2;w=2");
        assertThat(rejected.getHeader("RateLimit"))
                .isEqualTo("\"agent\";r=0;t=" + rejected.getHeader("Retry-After"));
        assertThat(ask("ann", "ROLE_USER").getHeader("RateLimit")).isEqualTo("\"user\";r=0;t=1");
    }

    @Test
    void callersWithTheSameNameAreCountedSeparately() throws Exception {
        assertThat(ask(new TestingCaller("script", "one"), "ROLE_USER").getStatus()).isEqualTo(200);
        assertThat(ask(new TestingCaller("script", "one"), "ROLE_USER").getStatus()).isEqualTo(429);
        assertThat(ask(new TestingCaller("script", "other"), "ROLE_USER").getStatus())
                .isEqualTo(200);
    }

    @Test
    void agentsHaveTheirOwnLimit() throws Exception {
        assertThat(ask("worker", "ROLE_AGENT").getStatus()).isEqualTo(200);
        assertThat(ask("worker", "ROLE_AGENT").getStatus()).isEqualTo(200);
        assertThat(ask("worker", "ROLE_AGENT").getStatus()).isEqualTo(429);
    }

    @Test
    void unauthenticatedRequestsAreNotCounted() throws Exception {
        var response = new MockHttpServletResponse();
        for (int time = 0; time < 5; time++) {
            response = new MockHttpServletResponse();
            filter.doFilter(
                    new MockHttpServletRequest("POST", "/api/v1/session"),
                    response,
                    new MockFilterChain());
        }
        assertThat(response.getStatus()).isEqualTo(200);
    }
}
