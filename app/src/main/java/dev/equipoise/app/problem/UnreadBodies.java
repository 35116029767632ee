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
 * Closes the connection behind an answer to a body that came too slowly. Of other bodies that are
 * refused the container reads the rest first, as clients hear nothing before they have sent it.
 */
@Component
class UnreadBodies implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private static final String UNREAD = UnreadBodies.class.getName();

    static void leave(ServletRequest request) {
        request.setAttribute(UNREAD, true);
    }

    @Override
    public void customize(TomcatServletWebServerFactory server) {
        server.addEngineValves(new Valve());
    }

    /** Around all others, which would report an error of the container's. */
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
