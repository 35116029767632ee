package dev.equipoise.wrong.naming;

import org.springframework.web.bind.annotation.RestController;

@RestController
class RunEndpoint {}
