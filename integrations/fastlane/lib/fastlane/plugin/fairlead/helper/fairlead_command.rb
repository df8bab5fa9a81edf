# frozen_string_literal: true

require 'json'
require 'open3'

module Fastlane
  module Helper
    # Runs the command line of Fairlead, whose flags and exit codes its README tells.
    class FairleadCommand
      VERSION = '0.1.0'

      # The program and its first arguments: FAIRLEAD_COMMAND, or npx with the tarball that the server offers.
      def self.program(server)
        own = ENV.fetch('FAIRLEAD_COMMAND', '')
        return own.split unless own.empty?

        ['npx', '--yes', '--package', "#{server}/cli/fairlead-#{VERSION}.tgz", '--', 'fairlead']
      end

      # The arguments of `builds upload` for the parameters of the action; those that are nil or empty are left out.
      def self.upload_arguments(file, params)
        arguments = ['builds', 'upload', file, '--json', '--no-qr']
        { app: '--app', mapping: '--mapping', notes: '--notes', branch: '--branch' }.each do |name, flag|
          value = params[name]
          arguments.push(flag, value) unless value.nil? || value.empty?
        end
        { dsym: '--dsym', groups: '--group' }.each do |name, flag|
          Array(params[name]).each { |value| arguments.push(flag, value) }
        end
        arguments << '--notify' if params[:notify]
        arguments
      end

      # Runs the program without a shell, so that no value is read as one. Returns what it printed, parsed as JSON.
      # Server and token go by the environment, which other users of the machine cannot read.
      def self.run(arguments, server:, token:, log:)
        environment = { 'FAIRLEAD_URL' => server, 'FAIRLEAD_TOKEN' => token }
        output, errors, status = Open3.capture3(environment, *program(server), *arguments)
        errors.each_line { |line| log.call(line.chomp) }
        raise "fairlead ended with #{status.exitstatus}" unless status.success?

        JSON.parse(output)
      end
    end
  end
end
