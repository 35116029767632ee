package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.DispatcherType;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;

class KnownParametersTest {

    /** Operations with two parameters, one of which has a name of its own, and with none. */
    static class Operations {

        public void list(
                @RequestParam String name, @RequestParam("sort") String order, String other) {}

        public void show() {}
    }

    private static HandlerMethod list() throws NoSuchMethodException {
        return new HandlerMethod(
                new Operations(), "list", String.class, String.class, String.class);
    }

    private static MockHttpServletRequest request(String... names) {
        var request = new MockHttpServletRequest("GET", "/api/v1/things");
        request.setQueryString(String.join("=x&", names) + "=x");
        for (String name : names) {
            request.addParameter(name, "x");
        }
        return request;
    }

    private static boolean isAccepted(MockHttpServletRequest request, Object handler) {
        return new KnownParameters().preHandle(request, new MockHttpServletResponse(), handler);
    }

    @Test
    void parametersOfTheOperationAreAccepted() throws Exception {
        assertThat(isAccepted(request("name", "sort"), list())).isTrue();
        assertThat(isAccepted(new MockHttpServletRequest("GET", "/api/v1/things"), list()))
                .isTrue();
    }

    @Test
    void unknownParameterIsRejectedWithTheKnownOnes() throws Exception {
        assertThatThrownBy(() -> isAccepted(request("name", "order"), list()))
                .hasMessage(
                        "1 rule is broken: ?order is not a parameter; the parameters here are"
                                + " [name, sort]");
        assertThatThrownBy(() -> isAccepted(request("Name", "other"), list()))
                .hasMessage("2 rules are broken");
    }

    @Test
    void operationWithoutParametersSaysSo() throws Exception {
        var show = new HandlerMethod(new Operations(), "show");

        assertThatThrownBy(() -> isAccepted(request("name"), show))
                .hasMessage("1 rule is broken: ?name is not a parameter; there are none here");
    }

    /** The container forwards the query of a failed request to the controller of errors. */
    @Test
    void forwardedErrorsKeepTheirQuery() throws Exception {
        var request = request("order");
        request.setDispatcherType(DispatcherType.ERROR);

        assertThat(isAccepted(request, list())).isTrue();
    }

    @Test
    void filesAndLibrariesAreNotChecked() throws Exception {
        assertThat(isAccepted(request("v"), new Object())).isTrue();
        assertThat(isAccepted(request("v"), new HandlerMethod("", "length"))).isTrue();
    }
}
