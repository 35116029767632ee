package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletContext;

class LocationAdviceTest {

    /** Operations of an API. */
    interface Operations {

        ResponseEntity<String> create();

        String read();
    }

    private final LocationAdvice advice = new LocationAdvice();

    private static MethodParameter returnedBy(String operation) throws NoSuchMethodException {
        return MethodParameter.forExecutable(Operations.class.getDeclaredMethod(operation), -1);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/projects/3, /equipoise/api/v1/projects/3",
        "https://other.example/3, https://other.example/3"
    })
    void contextPathPrecedesPathsAlone(String location, String sent) throws Exception {
        var service = new MockServletContext();
        service.setContextPath("/equipoise");
        var response = new ServletServerHttpResponse(new MockHttpServletResponse());
        response.getHeaders().set(HttpHeaders.LOCATION, location);

        Object body =
                advice.beforeBodyWrite(
                        "created",
                        returnedBy("create"),
                        MediaType.TEXT_PLAIN,
                        StringHttpMessageConverter.class,
                        new ServletServerHttpRequest(new MockHttpServletRequest(service)),
                        response);

        assertThat(body).isEqualTo("created");
        assertThat(response.getHeaders().getFirst(HttpHeaders.LOCATION)).isEqualTo(sent);
    }

    @Test
    void responsesWithoutHeadersAreLeftAlone() throws Exception {
        assertThat(advice.supports(returnedBy("create"), StringHttpMessageConverter.class))
                .isTrue();
        assertThat(advice.supports(returnedBy("read"), StringHttpMessageConverter.class)).isFalse();
    }
}
