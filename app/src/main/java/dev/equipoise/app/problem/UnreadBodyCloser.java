package dev.equipoise.app.problem;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Closes the connection after the response to a body that arrives too slowly. The container reads
 * the rest of other rejected bodies first, since clients read no response before they have sent the
 * body.
 */
@Component
class UnreadBodyCloser implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private static final String UNREAD = UnreadBodyCloser.class.getName();

    static void leave(ServletRequest request) {
        request.setAttribute(UNREAD, true);
    }

    @Override
    public void customize(TomcatServletWebServerFactory server) {
        server.addEngineValves(new Valve());
    }

    /** Runs around all other valves, which would report an error of the container. */
    private static final class Valve extends ValveBase {

        Valve() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response)
                throws IOException, ServletException {
            getNext().invoke(request, response);
            if (request.getAttribute(UNREAD) != null) {
                request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
            }
        }
    }
}
