package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class DatabaseFailureFilterTest {

    private final DatabaseFailureFilter filter =
            new DatabaseFailureFilter(TestingProblems.writer());
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private void answer(FilterChain chain) throws Exception {
        filter.doFilter(new MockHttpServletRequest("GET", "/api/v1/me"), response, chain);
    }

    @Test
    void requestThatFailsInAFilterGetsTheProblem() throws Exception {
        response.setHeader("X-Kept", "yes");

        answer((_, _) -> {
            throw new ServletException(
                    new DataAccessResourceFailureException(
                            "connection lost", DatabaseFailureTest.error("08006")));
        });

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        assertThat(response.getHeader("Retry-After")).isEqualTo("5");
        assertThat(response.getHeader("X-Kept")).isEqualTo("yes");
        assertThat(response.getContentAsString())
                .contains("\"code\":\"busy\"", "The database does not answer: try again later");
    }

    @Test
    void contentionMayBeRetriedSoon() throws Exception {
        answer((_, _) -> {
            throw new IllegalStateException(DatabaseFailureTest.error("40P01"));
        });

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void otherFailuresPass() {
        assertThatThrownBy(() ->
                        answer((_, _) -> {
                            throw new IllegalStateException("other");
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("other");
    }

    @Test
    void startedEventStreamEnds() throws Exception {
        MockHttpServletRequest next = new MockHttpServletRequest("GET", "/api/v1/runs/1/events");
        next.setDispatcherType(DispatcherType.ASYNC);
        response.setCommitted(true);

        filter.doFilter(
                next,
                response,
                (_, _) -> {
                    throw new DataAccessResourceFailureException(
                            "connection lost", DatabaseFailureTest.error("40001"));
                });

        assertThat(response.getStatus()).isEqualTo(200);
    }

    @Test
    void failureOfAStartedResponsePasses() {
        response.setCommitted(true);

        assertThatThrownBy(() ->
                        answer((_, _) -> {
                            throw new DataAccessResourceFailureException(
                                    "connection lost", DatabaseFailureTest.error("40001"));
                        }))
                .isInstanceOf(DataAccessResourceFailureException.class);
    }
}
