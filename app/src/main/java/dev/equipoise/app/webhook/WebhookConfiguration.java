package dev.equipoise.app.webhook;

import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookSettings.class)
class WebhookConfiguration {

    @Bean
    AddressPolicy addressPolicy(WebhookSettings settings) {
        return new AddressPolicy(settings.allowedNetworks());
    }

    /** Trusts the certificate authorities of the Java platform. */
    @Bean
    WebhookSender webhookSender(AddressPolicy policy, WebhookSettings settings)
            throws NoSuchAlgorithmException {
        return new WebhookSender(
                policy,
                InetAddress::getAllByName,
                SSLContext.getDefault().getSocketFactory(),
                settings.timeout());
    }
}
