package dev.equipoise.app.account;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.stereotype.Component;

/** Tells the requests that come by the port for management, where that is not the service's own. */
@Component
class ManagementPort implements RequestMatcher {

    private static final String NAMESPACE = "management";

    /** None is 0. */
    private final AtomicInteger port = new AtomicInteger();

    @EventListener
    void on(WebServerInitializedEvent opened) {
        if (NAMESPACE.equals(opened.getApplicationContext().getServerNamespace())) {
            port.set(opened.getWebServer().getPort());
        }
    }

    @Override
    public boolean matches(HttpServletRequest request) {
        return request.getLocalPort() == port.get();
    }
}
