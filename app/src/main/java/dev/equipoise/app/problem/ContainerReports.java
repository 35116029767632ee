package dev.equipoise.app.problem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports requests that the container rejects before it finds the application, such as {@code
 * CONNECT}, as problems instead of its own pages. {@link ContainerErrors} reports all others.
 */
@Component
class ContainerReports implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private final JsonMapper json;

    ContainerReports(JsonMapper json) {
        this.json = json;
    }

    @Override
    public void customize(TomcatServletWebServerFactory server) {
        server.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Valve(json)));
    }

    private static final class Valve extends ErrorReportValve {

        private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

        private final JsonMapper json;

        Valve(JsonMapper json) {
            this.json = json;
        }

        /** Reports an error once, and only while nothing of the response was sent. */
        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            int status = response.getStatus();
            if (status < 400
                    || response.getContentWritten() > 0
                    || !response.setErrorReported()
                    || !isWritable(response)) {
                return;
            }
            try {
                write(request, response, status);
            } catch (IOException gone) {
                throw new UncheckedIOException("the client has closed the connection", gone);
            }
        }

        private static boolean isWritable(Response response) {
            var allowed = new AtomicBoolean();
            response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, allowed);
            return allowed.get();
        }

        private void write(Request request, Response response, int status) throws IOException {
            ErrorCode code = ContainerErrors.code(status);
            response.setStatus(code.status());
            if (code == ErrorCode.METHOD_NOT_ALLOWED) {
                response.setHeader(HttpHeaders.ALLOW, METHODS);
            }
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.getOutputStream()
                    .write(
                            json.writeValueAsBytes(
                                    ProblemBody.of(
                                            code,
                                            ContainerErrors.detail(status),
                                            String.valueOf(request.getRequestURI()),
                                            List.of())));
            response.finishResponse();
        }
    }
}
