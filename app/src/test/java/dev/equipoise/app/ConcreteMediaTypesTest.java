package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class ConcreteMediaTypesTest {

    private static boolean isAccepted(MockHttpServletRequest request) {
        return new ConcreteMediaTypes()
                .preHandle(request, new MockHttpServletResponse(), new Object());
    }

    private static MockHttpServletRequest requestOf(String mediaType) {
        var request = new MockHttpServletRequest("POST", "/api/v1/agents");
        request.setContentType(mediaType);
        return request;
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/*", "application/*+json", "*/*; charset=utf-8"})
    void mediaTypeWithAWildcardIsRejected(String mediaType) {
        assertThatThrownBy(() -> isAccepted(requestOf(mediaType)))
                .isInstanceOf(Problem.class)
                .hasMessageContaining(mediaType);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json; note=*", "nonsense", ""})
    void otherMediaTypesAreForOthersToJudge(String mediaType) {
        assertThat(isAccepted(requestOf(mediaType))).isTrue();
    }

    @Test
    void requestWithoutAMediaTypeIsAccepted() {
        assertThat(isAccepted(new MockHttpServletRequest("GET", "/api/v1/me"))).isTrue();
    }
}
