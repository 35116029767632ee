package dev.equipoise.wrong.naming;

class RunManager {}
