package dev.equipoise.app.account;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.stereotype.Component;

/** Matches requests to the management port, if it differs from the service's port. */
@Component
class ManagementPort implements RequestMatcher {

    private static final String NAMESPACE = "management";

    /** 0 until the port is open, or if there is none. */
    private final AtomicInteger port = new AtomicInteger();

    @EventListener
    void on(WebServerInitializedEvent event) {
        if (NAMESPACE.equals(event.getApplicationContext().getServerNamespace())) {
            port.set(event.getWebServer().getPort());
        }
    }

    @Override
    public boolean matches(HttpServletRequest request) {
        return request.getLocalPort() == port.get();
    }
}
